package dev.oriel.cuda.ptx;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * How data goes into packets of one format and out of them again. Work comes in items, which {@link
 * #sharers} share out; each thread of a sharer has its own part of an item.
 */
interface PacketCode {
  /** Who an item belongs to: a thread, or a whole warp. */
  Threads sharers();

  /** How many items the packets of so many bytes are; at least one, which carries the flag. */
  String items(String bytes);

  /** Bytes of a unit of data, which is in one packet as a whole. */
  int unit();

  /** The data of packets. */
  @FunctionalInterface
  interface Content {
    /** Has the unit of that number in a 64-bit register; what is beyond the data is 0. */
    void load(String data, String unit);
  }

  /** So many bytes that lie at an address. */
  Content plain(String from, String bytes);

  /** Reads the item's data once and stores its packets at every address that is handed over. */
  void pack(
      Content content,
      String bytes,
      String flag,
      String item,
      Consumer<Consumer<String>> everyPeer);

  /** Polls the item's packets until all carry the flag, then stores their data everywhere. */
  void unpack(List<String> destinations, String from, String bytes, String flag, String item);

  /** Looks at the item's packets without waiting for what they hold. */
  Asked ask(String from, String bytes, String flag, String item);

  /** How many 32-bit words of an item's data a thread has. */
  int words();

  /**
   * Runs the body for each unit of an item's data that the thread has: with the register of its
   * number, and that of its first word among the thread's.
   */
  void eachUnit(String bytes, String item, BiConsumer<String, Integer> body);

  /** Stores so many words, the part of the thread, where the item's data belongs. */
  void store(List<String> words, String to, String bytes, String item);

  /** Packets that were looked at once. */
  @FunctionalInterface
  interface Asked {
    /**
     * Looks again until they carry the flag: the thread's words. Who gives up goes to the label.
     */
    List<String> arrived(String over);
  }
}
