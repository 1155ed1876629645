package dev.oriel.sim.time;

import dev.oriel.ports.MachineException;
import dev.oriel.sim.replay.Fault;
import dev.oriel.sim.replay.FaultPlan;
import java.util.List;

/** Links between two ranks on which each message takes some times as long, in both directions. */
final class SlowLinks {
  private final int[] rank;
  private final int[] peer;
  private final int[] by;

  /**
   * The links that a plan names.
   *
   * @throws MachineException if it holds anything else, which is no matter of time
   */
  SlowLinks(FaultPlan plan, int world) {
    List<Fault> faults = plan.requireWorld(world).faults();
    rank = new int[faults.size()];
    peer = new int[faults.size()];
    by = new int[faults.size()];
    for (int i = 0; i < faults.size(); i++) {
      if (!(faults.get(i) instanceof Fault.Degrade slow)) {
        throw new MachineException(
            "fault that is not timed: fault='%s'; use degrade, or explore it with check"
                .formatted(FaultPlan.of(faults.get(i))));
      }
      rank[i] = slow.rank();
      peer[i] = slow.peer();
      by[i] = Math.max(1, slow.by());
    }
  }

  /** How long a message takes between the two that would take that long. */
  long takes(int from, int to, long time) {
    long takes = time;
    for (int i = 0; i < by.length; i++) {
      if ((from == rank[i] && to == peer[i]) || (from == peer[i] && to == rank[i])) {
        takes = Math.max(takes, Math.multiplyExact(time, (long) by[i]));
      }
    }
    return takes;
  }
}
