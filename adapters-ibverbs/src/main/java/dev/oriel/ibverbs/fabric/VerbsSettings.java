package dev.oriel.ibverbs.fabric;

import dev.oriel.ibverbs.verbs.RetryLimits;
import dev.oriel.ports.MachineException;
import java.util.List;

/**
 * The devices that a rank uses, and their settings.
 *
 * @param device its name; empty for the first; several names are separated by commas
 * @param port counts from 1
 * @param gid the index of the port's source address; −1 for the first routable one
 * @param depth requests that one queue may have under way
 * @param queues queue pairs to each peer on each device; a program's lanes share them in turn
 * @param retry how long to try before a peer counts as lost
 */
public record VerbsSettings(
    String device, int port, int gid, int depth, int queues, RetryLimits retry) {
  /** The first device, two queue pairs to each peer. */
  public static final VerbsSettings USUAL = new VerbsSettings("", 1, -1, 64, 2, RetryLimits.USUAL);

  private static final int LEAST_DEPTH = 4;
  private static final int MOST_QUEUES = 64;

  public VerbsSettings {
    // Half of the requests may be unreported, and one credit is reserved for requesting the report
    // of the rest.
    check("depth", depth, LEAST_DEPTH, 1 << 15);
    check("queues", queues, 1, MOST_QUEUES);
    check("gid", gid, -1, 255);
    check("port", port, 1, 255);
  }

  /** The same settings for another device. */
  public VerbsSettings on(String other) {
    return new VerbsSettings(other, port, gid, depth, queues, retry);
  }

  /** The names of the devices, in order: a lane's number selects one. */
  public List<String> devices() {
    return List.of(device.split(",", -1));
  }

  private static void check(String what, int value, int least, int most) {
    if (value < least || value > most) {
      throw new MachineException(
          "setting out of range: what=%s, value=%d, min=%d, max=%d; choose another"
              .formatted(what, value, least, most));
    }
  }
}
