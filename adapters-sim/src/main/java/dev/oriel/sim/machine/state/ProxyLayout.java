package dev.oriel.sim.machine.state;

import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.machine.layout.MachineModel;

/**
 * Layout of what lanes handed to proxies in a state, see {@code ProxyThreads}.
 *
 * <pre>
 * queue    filled at the lane's last doorbell | handed on | reported | clock of the report
 * rank     steps of its proxy | time of the last one
 * </pre>
 */
public final class ProxyLayout {
  public static final int FILLED = 0;
  public static final int HANDED = 1;
  public static final int REPORTED = 2;
  public static final int ROW = 3;
  public static final int FIELDS = 4;

  /** After the queues, for each rank. */
  public static final int STEPS = 0;

  public static final int LAST = 1;
  public static final int COUNTS = 2;

  private ProxyLayout() {}

  static int fields(MachineModel model) {
    return model.profile.proxy() ? model.agents.queues * FIELDS + model.world * COUNTS : 0;
  }

  /** The number of agents: for each queue, one that hands on and one that reports. */
  static int agents(MachineModel model) {
    return model.profile.proxy() ? 2 * model.agents.queues : 0;
  }

  static void digest(MachineModel model, MachineState s, Fingerprint into) {
    for (int q = 0; s.proxies.length > 0 && q < model.agents.queues; q++) {
      for (int i = 0; i < ROW; i++) {
        into.add(s.proxies[q * FIELDS + i]);
      }
      into.add(s.releases.hash(s.proxies[q * FIELDS + ROW]));
    }
    for (int i = model.agents.queues * FIELDS; i < s.proxies.length; i++) {
      into.add(s.proxies[i]);
    }
  }

  /** Renames queues and ranks; clock snapshots keep their numbers. */
  public static void relabel(
      MachineModel model, MachineState from, MachineState to, int[] queue, int[] rank) {
    if (from.proxies.length == 0) {
      return;
    }
    for (int q = 0; q < queue.length; q++) {
      System.arraycopy(from.proxies, q * FIELDS, to.proxies, queue[q] * FIELDS, FIELDS);
    }
    for (int r = 0; r < rank.length; r++) {
      System.arraycopy(from.proxies, count(model, r), to.proxies, count(model, rank[r]), COUNTS);
    }
  }

  /** Where the counts of the rank's proxy begin. */
  public static int count(MachineModel model, int rank) {
    return model.agents.queues * FIELDS + rank * COUNTS;
  }
}
