package dev.oriel.sim.machine;

import dev.oriel.domain.handing.ProxyRing;
import dev.oriel.sim.machine.finding.FindingException;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.machine.layout.AgentLayout;
import dev.oriel.sim.machine.layout.MachineModel;

/**
 * Host threads that post for lanes, one for each rank. The state holds which requests of each queue
 * were handed on, and which completions were reported to lanes. A queue's requests are the slots of
 * its ring; {@link ProxyRing} has its rules.
 *
 * <pre>
 * queue    filled at the lane's last doorbell | handed on | reported | clock of the report
 * rank     steps of its proxy | time of the last one
 * </pre>
 *
 * <p>A proxy's steps for two queues are unordered: a program that relies on one thread for both
 * would be right by luck. Publishing a descriptor orders the descriptor and nothing else. A request
 * is ordered after what its lane ordered, as where lanes post themselves. So a proxy adds time and
 * no outcome, unless it has a fault.
 */
final class ProxyThreads {
  private static final int FILLED = 0;
  private static final int HANDED = 1;
  private static final int TOLD = 2;
  private static final int ROW = 3;
  private static final int FIELDS = 4;

  /** After the queues, for each rank. */
  private static final int STEPS = 0;

  private static final int LAST = 1;
  private static final int COUNTS = 2;

  /** Whether lanes hand requests to proxies. */
  final boolean on;

  private final MachineModel model;
  private final AgentLayout agents;
  private final ComponentClocks clocks;
  private final SyncWords words;
  private final EnabledDirtySet wakes;
  private final FaultInjector faults;
  private final FindingReporter reports;

  ProxyThreads(SharedSubsystems shared) {
    model = shared.model;
    agents = model.agents;
    clocks = shared.clocks;
    words = shared.words;
    wakes = shared.wakes;
    faults = shared.faults;
    reports = shared.reports;
    on = model.profile.proxy();
  }

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
      into.add(s.heads.hash(s.proxies[q * FIELDS + ROW]));
    }
    for (int i = model.agents.queues * FIELDS; i < s.proxies.length; i++) {
      into.add(s.proxies[i]);
    }
  }

  /** Renames queues and ranks; clock snapshots keep their numbers. */
  static void relabel(
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

  private static int count(MachineModel model, int rank) {
    return model.agents.queues * FIELDS + rank * COUNTS;
  }

  /** The number of the queue's first requests that its interface has. */
  int handed(MachineState s, int queue) {
    return s.proxies[queue * FIELDS + HANDED];
  }

  /** The number of the queue's first requests that were reported to the lane as done. */
  int told(MachineState s, int queue) {
    return s.proxies[queue * FIELDS + TOLD];
  }

  /**
   * Whether the lane may fill another slot; a slot is free when its request is done and reported.
   */
  boolean hasRoom(MachineState s, int queue, int posted, int retired) {
    int done = Math.min(retired, told(s, queue));
    return ProxyRing.hasRoom(posted, done, model.profile.depth());
  }

  /** Publishes the lane's requests up to {@code posted}; so many slots were filled before. */
  void publish(MachineState s, int queue, int posted, int retired, int filled) {
    if (!hasRoom(s, queue, posted - 1, retired)) {
      throw new FindingException(reports.descriptor(queue, "is written over before it is done"));
    }
    s.proxies[queue * FIELDS + FILLED] = filled;
  }

  /** Whether the queue's proxy may take a step; {@code impatient} if no other agent is enabled. */
  boolean goesOn(MachineState s, int queue, boolean impatient) {
    if (!faults.proxies) {
      return true;
    }
    int at = count(model, model.rank(agents.queueLane[queue]));
    int rank = model.rank(agents.queueLane[queue]);
    return faults.proxyLives(rank, s.proxies[at + STEPS])
        && (impatient || faults.proxyHurries(rank, s.allSteps - s.proxies[at + LAST]));
  }

  /** Whether the rank's proxy has crashed. */
  boolean dead(MachineState s, int rank) {
    return faults.proxies && !faults.proxyLives(rank, s.proxies[count(model, rank) + STEPS]);
  }

  /** Whether there is a request to hand on. */
  boolean handable(MachineState s, int queue, int posted) {
    return ProxyRing.waits(posted, handed(s, queue));
  }

  /** Hands the oldest waiting request to the interface. */
  void hand(MachineState s, int queue, int site) {
    int at = queue * FIELDS;
    int number = s.proxies[at + HANDED]++;
    reports.handed(s, queue, number, site);
    if (number >= s.proxies[at + FILLED]) {
      throw new FindingException(reports.descriptor(queue, "is taken before it is filled"));
    }
    stepped(s, queue);
  }

  /** Reports to the lane that the requests up to there are done. */
  void tell(MachineState s, int queue, int completed, int row) {
    s.proxies[queue * FIELDS + TOLD] = completed;
    s.proxies[queue * FIELDS + ROW] = row;
    reports.told(s, queue, completed);
    stepped(s, queue);
  }

  private void stepped(MachineState s, int queue) {
    int rank = model.rank(agents.queueLane[queue]);
    wakes.queue(queue);
    wakes.lanesOf(rank);
    if (faults.proxies) {
      s.proxies[count(model, rank) + STEPS]++;
      s.proxies[count(model, rank) + LAST] = s.allSteps;
      intent(queue, words.footprint);
      for (int q = 0; q < agents.queues; q++) {
        wakes.queue(q);
      }
    }
  }

  /**
   * Notes that steps for all queues of a faulty proxy conflict, since its fault depends on their
   * number.
   */
  void intent(int queue, StepFootprint into) {
    if (faults.proxies) {
      into.changed(model.words.count + 1 + model.rank(agents.queueLane[queue]));
    }
  }

  /** Orders the lane after the reported completions. */
  void await(MachineState s, int queue) {
    int lane = agents.queueLane[queue];
    int row = s.proxies[queue * FIELDS + ROW];
    clocks.join(s, agents.leader[lane], s.heads, row);
    clocks.join(s, agents.worker[lane], s.heads, row);
    s.proxies[queue * FIELDS + ROW] = 0;
  }
}
