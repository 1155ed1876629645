package dev.oriel.ibverbs.verbs;

import dev.oriel.ports.MachineException;

/**
 * One end of a connection: the data that the other end needs.
 *
 * @param pair the queue pair's number
 * @param sequence the first packet's number
 * @param lid the port's address in an InfiniBand subnet, 0 on Ethernet
 * @param high the first half of the port's address, in network order
 * @param low the second half
 * @param mtu the largest packet that its port accepts, as verbs number it
 */
public record QueueEnd(int pair, int sequence, int lid, long high, long low, int mtu) {
  /** The numbers of queue pairs and of packets are below this. */
  public static final int MAX_24_BITS = 1 << 24;

  public QueueEnd {
    check("pair", pair, 0, MAX_24_BITS - 1);
    check("sequence", sequence, 0, MAX_24_BITS - 1);
    check("lid", lid, 0, 0xffff);
    check("mtu", mtu, 1, 5);
  }

  private static void check(String what, int value, int least, int most) {
    if (value < least || value > most) {
      throw new MachineException(
          "queue end out of range: what=%s, value=%d, min=%d, max=%d; exchange ends anew"
              .formatted(what, value, least, most));
    }
  }
}
