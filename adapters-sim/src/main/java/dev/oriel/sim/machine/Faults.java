package dev.oriel.sim.machine;

import dev.oriel.ports.MachineException;
import dev.oriel.sim.replay.Fault;
import dev.oriel.sim.replay.FaultPlan;

/**
 * What goes wrong, and when: thresholds on counters that are part of a state. A fault disturbs
 * agents only by what they are enabled to do; what programs may make of it is {@link Fault}'s
 * contract.
 */
final class Faults {
  private static final int NEVER = Integer.MAX_VALUE;

  private final Model model;

  /** Whether anything goes wrong at all; else nothing is counted. */
  final boolean any;

  /** Whether time matters: some agents wait for others to go on. */
  final boolean slow;

  private final int[] crash;
  private final int[] abort;
  private final int[] straggle;
  private final int[] queueError;
  private final int[] lostCompletion;
  private final int[] delayed;
  private final int[] delay;

  Faults(Model model, FaultPlan plan) {
    this.model = model;
    any = !plan.faults().isEmpty();
    crash = Model.filled(model.world, NEVER);
    abort = Model.filled(model.world, NEVER);
    straggle = new int[model.world];
    queueError = Model.filled(model.agents.queues, NEVER);
    lostCompletion = Model.filled(model.agents.queues, NEVER);
    delayed = Model.filled(model.agents.queues, NEVER);
    delay = new int[model.agents.queues];
    boolean waits = false;
    for (Fault fault : plan.faults()) {
      switch (fault) {
        case Fault.Crash(int rank, int after) -> crash[rank(rank)] = after;
        case Fault.Abort(int rank, int after) -> abort[rank(rank)] = after;
        case Fault.Straggle(int rank, int by) -> {
          straggle[rank(rank)] = by;
          waits = true;
        }
        case Fault.QueueError(int rank, int peer, int after) -> {
          rank(peer);
          for (int q = 0; q < model.agents.queues; q++) {
            if (origin(q) == rank(rank) && model.agents.queuePeer[q] == peer) {
              queueError[q] = after;
            }
          }
        }
        case Fault.LoseCompletion(int rank, int queue, int after) ->
            lostCompletion[queue(rank, queue)] = after;
        case Fault.Delay(int rank, int queue, int after, int by) -> {
          delayed[queue(rank, queue)] = after;
          delay[queue(rank, queue)] = by;
          waits = true;
        }
      }
    }
    slow = waits;
  }

  private int origin(int queue) {
    return model.rank(model.agents.queueLane[queue]);
  }

  private int rank(int rank) {
    if (rank >= model.world) {
      throw new MachineException(
          "no such rank: rank=%d, world=%d; let faults happen to ranks of the world"
              .formatted(rank, model.world));
    }
    return rank;
  }

  /** The queue of that number among the rank's. */
  private int queue(int rank, int number) {
    int left = number;
    for (int q = 0; q < model.agents.queues; q++) {
      if (origin(q) == rank(rank) && left-- == 0) {
        return q;
      }
    }
    throw new MachineException(
        "no such queue: rank=%d, queue=%d, queues=%d; let faults happen to queues of the world"
            .formatted(rank, number, number - left));
  }

  /** A lane or the caller of the rank took a step. */
  void step(State s, int rank) {
    s.steps[rank]++;
    s.lastStep[rank] = s.allSteps;
    s.aborted[rank] |= s.steps[rank] >= abort[rank];
  }

  boolean crashed(State s, int rank) {
    return s.steps[rank] >= crash[rank];
  }

  /** Whether the queue fails instead of executing its next request. */
  boolean fails(int queue, int number) {
    return number >= queueError[queue];
  }

  /** Whether some completion that the lane would need was lost. */
  boolean loses(int queue, int posted) {
    return posted > lostCompletion[queue];
  }

  /** Whether lanes of the rank are to wait until others have gone on. */
  boolean straggles(State s, int rank) {
    return straggle[rank] > 0 && s.allSteps - s.lastStep[rank] < straggle[rank];
  }

  /** Whether the queue's next fetch is to wait until others have gone on. */
  boolean holds(State s, int queue, int number) {
    return number == delayed[queue] && s.allSteps - s.posted[queue] < delay[queue];
  }
}
