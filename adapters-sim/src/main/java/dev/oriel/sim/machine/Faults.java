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

  /** For each queue: the request at which it stalls, and with it any before that; for how long. */
  private final int[] flapped;

  private final int[] flap;

  /** For each queue: the request that is sent again, and after how long. */
  private final int[] lost;

  private final int[] resend;

  /** For each queue: how long each of its requests takes. */
  private final int[] degrade;

  private final int[] proxyCrash;
  private final int[] proxyStraggle;

  /** Whether anything happens on the way between ranks; else no queue is looked at. */
  final boolean links;

  /** Whether anything happens to a proxy; else their steps are not counted. */
  final boolean proxies;

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
    flapped = Model.filled(model.agents.queues, NEVER);
    flap = new int[model.agents.queues];
    lost = Model.filled(model.agents.queues, NEVER);
    resend = new int[model.agents.queues];
    degrade = new int[model.agents.queues];
    proxyCrash = Model.filled(model.world, NEVER);
    proxyStraggle = new int[model.world];
    boolean waits = false;
    boolean linked = false;
    boolean proxied = false;
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
        case Fault.Flap(int rank, int peer, int after, int by) -> {
          for (int q = 0; q < model.agents.queues; q++) {
            if (joins(q, rank(rank), rank(peer))) {
              flapped[q] = after;
              flap[q] = by;
            }
          }
          linked = true;
        }
        case Fault.Degrade(int rank, int peer, int by) -> {
          for (int q = 0; q < model.agents.queues; q++) {
            degrade[q] = joins(q, rank(rank), rank(peer)) ? by : degrade[q];
          }
          linked = true;
        }
        case Fault.LoseRequest(int rank, int queue, int after, int by) -> {
          lost[queue(rank, queue)] = after;
          resend[queue(rank, queue)] = by;
          linked = true;
        }
        case Fault.ProxyCrash(int rank, int after) -> {
          proxyCrash[proxied(rank)] = after;
          proxied = true;
        }
        case Fault.ProxyStraggle(int rank, int by) -> {
          proxyStraggle[proxied(rank)] = by;
          proxied = true;
          waits = true;
        }
      }
    }
    slow = waits || linked;
    links = linked;
    proxies = proxied;
  }

  /** Whether the same happens to each rank and queue as to the one that it is renamed to. */
  boolean alike(int[] rank, int[] queue) {
    boolean alike = true;
    for (int r = 0; r < rank.length; r++) {
      int to = rank[r];
      alike &= crash[r] == crash[to] && abort[r] == abort[to] && straggle[r] == straggle[to];
      alike &= proxyCrash[r] == proxyCrash[to] && proxyStraggle[r] == proxyStraggle[to];
    }
    for (int q = 0; q < queue.length; q++) {
      int to = queue[q];
      alike &= queueError[q] == queueError[to] && lostCompletion[q] == lostCompletion[to];
      alike &= delayed[q] == delayed[to] && delay[q] == delay[to];
      alike &= flapped[q] == flapped[to] && flap[q] == flap[to];
      alike &= lost[q] == lost[to] && resend[q] == resend[to] && degrade[q] == degrade[to];
    }
    return alike;
  }

  private boolean joins(int queue, int rank, int peer) {
    int from = origin(queue);
    int to = model.agents.queuePeer[queue];
    return (from == rank && to == peer) || (from == peer && to == rank);
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

  private int proxied(int rank) {
    if (!model.profile.proxy()) {
      throw new MachineException(
          "no proxy: rank=%d, profile=%s; put ,proxy=1 behind the profile"
              .formatted(rank, model.profile.name()));
    }
    return rank(rank);
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

  /** Up to which request of the queue completions arrive. */
  int lastCompletion(int queue) {
    return lostCompletion[queue];
  }

  /** Whether the rank's proxy takes another step behind so many. */
  boolean proxyLives(int rank, int steps) {
    return steps < proxyCrash[rank];
  }

  /** Whether the rank's proxy may go on when others took so many steps since its last one. */
  boolean proxyHurries(int rank, int others) {
    return others >= proxyStraggle[rank];
  }

  /** Whether lanes of the rank are to wait until others have gone on. */
  boolean straggles(State s, int rank) {
    return straggle[rank] > 0 && s.allSteps - s.lastStep[rank] < straggle[rank];
  }

  /** Whether the queue's next fetch is to wait until others have gone on. */
  boolean holds(State s, int queue, int number) {
    return number == delayed[queue] && s.allSteps - s.moved[queue] < delay[queue];
  }

  /**
   * Whether the queue is to do nothing at the far side until others have gone on: it has fetched so
   * many requests, of which the oldest that was not there has that number.
   */
  boolean stalls(State s, int queue, int oldest, int fetched) {
    int wait = degrade[queue];
    if (oldest <= flapped[queue] && flapped[queue] < fetched) {
      wait = Math.max(wait, flap[queue]);
    }
    if (oldest == lost[queue]) {
      wait = Math.max(wait, resend[queue]);
    }
    return s.allSteps - s.moved[queue] < wait;
  }

  /** The queue did something at the far side. */
  void passed(State s, int queue) {
    if (degrade[queue] > 0) {
      s.moved[queue] = s.allSteps;
    }
  }
}
