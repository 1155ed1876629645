package dev.oriel.sim.time;

import dev.oriel.ports.MachineException;
import dev.oriel.sim.replay.Fault;
import dev.oriel.sim.replay.FaultPlan;
import java.util.List;

/**
 * Links between two ranks on which each message takes a multiple of its time. Each direction serves
 * its messages one after another, in the order of their requests. Ports are taken no longer than
 * otherwise, so messages to other ranks continue meanwhile.
 */
final class SlowLinks {
  /** The most picoseconds of a message, so that times of many can be added. */
  private static final long MAX_TIME = 1L << 50;

  private final int[] rank;
  private final int[] peer;
  private final int[] by;

  /** For each link, the time from which it is free, from the rank to the peer and back. */
  private final long[] free;

  /**
   * The links that a plan names.
   *
   * @throws MachineException if the plan has any fault that does not concern time
   */
  SlowLinks(FaultPlan plan, int world) {
    List<Fault> faults = plan.requireWorld(world).faults();
    rank = new int[faults.size()];
    peer = new int[faults.size()];
    by = new int[faults.size()];
    free = new long[2 * faults.size()];
    for (int i = 0; i < faults.size(); i++) {
      if (!(faults.get(i) instanceof Fault.Degrade slow)) {
        throw new MachineException(
            "fault that is not timed: fault='%s'; use degrade, or explore it with check"
                .formatted(FaultPlan.of(faults.get(i))));
      }
      if (slow.by() < 1) {
        throw new MachineException(
            "message in no time: fault='%s', min=1; give how many times as long it takes in by"
                .formatted(FaultPlan.of(slow)));
      }
      rank[i] = slow.rank();
      peer[i] = slow.peer();
      by[i] = slow.by();
    }
  }

  /**
   * The time at which a message's last byte leaves.
   *
   * @param takes how long it takes its ports
   * @param end when it leaves them
   */
  long leaves(int from, int to, long takes, long end) {
    long leaves = end;
    for (int i = 0; i < by.length; i++) {
      boolean there = from == rank[i] && to == peer[i];
      boolean back = from == peer[i] && to == rank[i];
      if (by[i] > 1 && (there || back)) {
        int way = 2 * i + (there ? 0 : 1);
        if (takes > MAX_TIME / by[i]) {
          throw new MachineException(
              "message takes too long: from=%d, to=%d, picoseconds=%d, by=%d, max=%d; let the link be less slow"
                  .formatted(from, to, takes, by[i], MAX_TIME));
        }
        free[way] = Math.max(end - takes, free[way]) + takes * by[i];
        leaves = Math.max(leaves, free[way]);
      }
    }
    return leaves;
  }
}
