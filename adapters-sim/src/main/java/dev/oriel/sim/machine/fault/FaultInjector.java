package dev.oriel.sim.machine.fault;

import dev.oriel.ports.MachineException;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.replay.Fault;
import dev.oriel.sim.replay.FaultPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Faults and their times: thresholds on counters that are part of a state. A fault affects agents
 * only by enabling or disabling them. {@link Fault} states what programs may expect.
 */
public final class FaultInjector {
  private static final int NEVER = Integer.MAX_VALUE;

  private final MachineModel model;

  /** Whether there is any fault; without one nothing is counted. */
  public final boolean any;

  /** Whether time matters: some agents wait until others have taken steps. */
  public final boolean slow;

  private final int[] crash;
  private final int[] abort;
  private final int[] straggle;
  private final int[] queueError;
  private final int[] lostCompletion;

  /** For each queue: requests that are fetched late, each with its delay. */
  private final int[][] delays;

  /**
   * For each queue: requests at which its link stalls, with all pending ones, each with its
   * duration.
   */
  private final int[][] stalls;

  /** For each queue: the delay of each of its requests. */
  private final int[] degrade;

  private final int[] proxyCrash;
  private final int[] proxyStraggle;

  /** Whether links have faults; otherwise no queue is examined. */
  public final boolean links;

  /** Whether proxies have faults; otherwise their steps are not counted. */
  public final boolean proxies;

  public FaultInjector(MachineModel model, FaultPlan plan) {
    this.model = model;
    any = !plan.faults().isEmpty();
    crash = MachineModel.filled(model.world, NEVER);
    abort = MachineModel.filled(model.world, NEVER);
    straggle = new int[model.world];
    queueError = MachineModel.filled(model.agents.queues, NEVER);
    lostCompletion = MachineModel.filled(model.agents.queues, NEVER);
    delays = new int[model.agents.queues][0];
    stalls = new int[model.agents.queues][0];
    degrade = new int[model.agents.queues];
    proxyCrash = MachineModel.filled(model.world, NEVER);
    proxyStraggle = new int[model.world];
    boolean waits = false;
    boolean linked = false;
    boolean proxied = false;
    for (Fault fault : plan.faults()) {
      switch (fault) {
        case Fault.Crash(int rank, int after) -> least(crash, rank(rank), after);
        case Fault.Abort(int rank, int after) -> least(abort, rank(rank), after);
        case Fault.Straggle(int rank, int by) -> {
          most(straggle, rank(rank), by);
          waits = true;
        }
        case Fault.QueueError(int rank, int peer, int after) ->
            queues(rank, peer, false).forEach(q -> least(queueError, q, after));
        case Fault.LoseCompletion(int rank, int queue, int after) ->
            least(lostCompletion, queue(rank, queue), after);
        case Fault.Delay(int rank, int queue, int after, int by) -> {
          add(delays, queue(rank, queue), after, by);
          waits = true;
        }
        case Fault.Flap(int rank, int peer, int after, int by) -> {
          queues(rank, peer, true).forEach(q -> add(stalls, q, after, by));
          linked = true;
        }
        case Fault.Degrade(int rank, int peer, int by) -> {
          queues(rank, peer, true).forEach(q -> most(degrade, q, by));
          linked = true;
        }
        case Fault.LoseRequest(int rank, int queue, int after, int by) -> {
          add(stalls, queue(rank, queue), after, by);
          linked = true;
        }
        case Fault.ProxyCrash(int rank, int after) -> {
          least(proxyCrash, proxied(rank), after);
          proxied = true;
        }
        case Fault.ProxyStraggle(int rank, int by) -> {
          most(proxyStraggle, proxied(rank), by);
          proxied = true;
          waits = true;
        }
        case Fault.RefuseRegistration f -> {
          // The guide of the lanes applies this fault, since its code registers memory.
        }
      }
    }
    slow = waits || linked;
    links = linked;
    proxies = proxied;
  }

  /** Of two faults of a kind, the earlier one applies. */
  private static void least(int[] counts, int place, int after) {
    counts[place] = Math.min(counts[place], after);
  }

  /** Of two faults of a kind, the longer wait applies. */
  private static void most(int[] waits, int place, int by) {
    waits[place] = Math.max(waits[place], by);
  }

  /** Every fault of a kind applies. */
  private static void add(int[][] lists, int queue, int after, int by) {
    int[] list = lists[queue];
    lists[queue] = Arrays.copyOf(list, list.length + 2);
    lists[queue][list.length] = after;
    lists[queue][list.length + 1] = by;
  }

  /** Whether each rank and queue has the same faults as the one that it is renamed to. */
  public boolean alike(int[] rank, int[] queue) {
    boolean alike = true;
    for (int r = 0; r < rank.length; r++) {
      int to = rank[r];
      alike &= crash[r] == crash[to] && abort[r] == abort[to] && straggle[r] == straggle[to];
      alike &= proxyCrash[r] == proxyCrash[to] && proxyStraggle[r] == proxyStraggle[to];
    }
    for (int q = 0; q < queue.length; q++) {
      int to = queue[q];
      alike &= queueError[q] == queueError[to] && lostCompletion[q] == lostCompletion[to];
      alike &= Arrays.equals(delays[q], delays[to]) && Arrays.equals(stalls[q], stalls[to]);
      alike &= degrade[q] == degrade[to];
    }
    return alike;
  }

  /** The queues from the rank to the peer and, if {@code back}, in the other direction. */
  private List<Integer> queues(int rank, int peer, boolean back) {
    List<Integer> queues = new ArrayList<>();
    for (int q = 0; q < model.agents.queues; q++) {
      int from = origin(q);
      int to = model.agents.queuePeer[q];
      if ((from == rank(rank) && to == rank(peer)) || (back && from == peer && to == rank)) {
        queues.add(q);
      }
    }
    if (queues.isEmpty()) {
      throw new MachineException(
          "no such queue: rank=%d, peer=%d, world=%d; let faults of links happen between ranks that the program joins by a queue, as on two hosts"
              .formatted(rank(rank), rank(peer), model.world));
    }
    return queues;
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
          "no proxy: rank=%d, profile=%s; append ,proxy=1 to the profile"
              .formatted(rank, model.profile.name()));
    }
    return rank(rank);
  }

  /** The queue of that number among those of the rank. */
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

  /** Counts a step of a lane or of the caller of the rank. */
  public void step(MachineState s, int rank) {
    s.steps[rank]++;
    s.lastStep[rank] = s.allSteps;
    s.aborted[rank] |= s.steps[rank] >= abort[rank];
  }

  public boolean crashed(MachineState s, int rank) {
    return s.steps[rank] >= crash[rank];
  }

  /** Whether the queue fails instead of executing its next request. */
  public boolean fails(int queue, int number) {
    return number >= queueError[queue];
  }

  /** Whether a completion that the lane needs was lost. */
  public boolean loses(int queue, int posted) {
    return posted > lostCompletion[queue];
  }

  /** The number of the queue's first requests whose completions arrive. */
  public int lastCompletion(int queue) {
    return lostCompletion[queue];
  }

  /** Whether the rank's proxy takes another step after so many. */
  public boolean proxyLives(int rank, int steps) {
    return steps < proxyCrash[rank];
  }

  /** Whether the rank's proxy may continue, given how many steps others took since its last one. */
  public boolean proxyHurries(int rank, int others) {
    return others >= proxyStraggle[rank];
  }

  /** Whether lanes of the rank must wait until others have taken steps. */
  public boolean straggles(MachineState s, int rank) {
    return s.allSteps - s.lastStep[rank] < straggle[rank];
  }

  /** Whether the queue's next fetch must wait until others have taken steps. */
  public boolean holds(MachineState s, int queue, int number) {
    int wait = 0;
    int[] list = delays[queue];
    for (int i = 0; i < list.length; i += 2) {
      wait = list[i] == number ? Math.max(wait, list[i + 1]) : wait;
    }
    return s.allSteps - s.held[queue] < wait;
  }

  /**
   * Begins the wait of the next request, since the queue fetched the request of that number. It
   * also begins the link's wait, if the link goes down now, or if no older request waits for it.
   * {@code oldest} is the oldest request without an effect at the far side yet, or this one.
   */
  public void fetched(MachineState s, int queue, int number, int oldest) {
    s.held[queue] = s.allSteps;
    boolean down = oldest >= number;
    int[] list = stalls[queue];
    for (int i = 0; i < list.length; i += 2) {
      down |= list[i] == number;
    }
    if (down) {
      s.stalled[queue] = s.allSteps;
    }
  }

  /**
   * Whether the queue must have no effect at the far side until others have taken steps. It has
   * fetched so many requests; {@code oldest} is the oldest one without an effect there.
   */
  public boolean stalls(MachineState s, int queue, int oldest, int fetched) {
    int wait = degrade[queue];
    int[] list = stalls[queue];
    for (int i = 0; i < list.length; i += 2) {
      wait = oldest <= list[i] && list[i] < fetched ? Math.max(wait, list[i + 1]) : wait;
    }
    return s.allSteps - s.stalled[queue] < wait;
  }

  /** Notes that the queue had an effect at the far side. */
  public void passed(MachineState s, int queue) {
    if (degrade[queue] > 0) {
      s.stalled[queue] = s.allSteps;
    }
  }
}
