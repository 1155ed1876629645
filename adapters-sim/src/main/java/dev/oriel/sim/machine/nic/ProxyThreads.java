package dev.oriel.sim.machine.nic;

import static dev.oriel.sim.machine.state.ProxyLayout.FIELDS;
import static dev.oriel.sim.machine.state.ProxyLayout.FILLED;
import static dev.oriel.sim.machine.state.ProxyLayout.HANDED;
import static dev.oriel.sim.machine.state.ProxyLayout.LAST;
import static dev.oriel.sim.machine.state.ProxyLayout.REPORTED;
import static dev.oriel.sim.machine.state.ProxyLayout.ROW;
import static dev.oriel.sim.machine.state.ProxyLayout.STEPS;

import dev.oriel.domain.handing.ProxyRing;
import dev.oriel.sim.machine.clocks.ComponentClocks;
import dev.oriel.sim.machine.fault.FaultInjector;
import dev.oriel.sim.machine.finding.FindingException;
import dev.oriel.sim.machine.layout.AgentLayout;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.memory.SharedSubsystems;
import dev.oriel.sim.machine.report.FindingReporter;
import dev.oriel.sim.machine.state.EnabledDirtySet;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.state.ProxyLayout;
import dev.oriel.sim.machine.step.StepFootprint;
import dev.oriel.sim.machine.words.SyncWords;

/**
 * Host threads that post for lanes, one for each rank. The state holds which requests of each queue
 * were handed on, and which completions were reported to lanes, in {@link ProxyLayout}. A queue's
 * requests are the slots of its ring; {@link ProxyRing} has its rules.
 *
 * <p>A proxy's steps for two queues are unordered: a program that relies on one thread for both
 * would be right by luck. Publishing a descriptor orders the descriptor and nothing else. A request
 * is ordered after what its lane ordered, as where lanes post themselves. So a proxy adds time and
 * no outcome, unless it has a fault.
 */
public final class ProxyThreads {
  /** Whether lanes hand requests to proxies. */
  public final boolean on;

  private final MachineModel model;
  private final AgentLayout agents;
  private final ComponentClocks clocks;
  private final SyncWords words;
  private final EnabledDirtySet enabledDirty;
  private final FaultInjector faults;
  private final FindingReporter reports;

  public ProxyThreads(SharedSubsystems shared) {
    model = shared.model;
    agents = model.agents;
    clocks = shared.clocks;
    words = shared.words;
    enabledDirty = shared.enabledDirty;
    faults = shared.faults;
    reports = shared.reports;
    on = model.profile.proxy();
  }

  /** The number of the queue's first requests that its interface has. */
  public int handed(MachineState s, int queue) {
    return s.proxies[queue * FIELDS + HANDED];
  }

  /** The number of the queue's first requests that were reported to the lane as done. */
  int reported(MachineState s, int queue) {
    return s.proxies[queue * FIELDS + REPORTED];
  }

  /**
   * Whether the lane may fill another slot; a slot is free when its request is done and reported.
   */
  boolean hasRoom(MachineState s, int queue, int posted, int retired) {
    int done = Math.min(retired, reported(s, queue));
    return ProxyRing.hasRoom(posted, done, model.profile.depth());
  }

  /** Publishes the lane's requests up to {@code posted}; so many slots were filled before. */
  void publish(MachineState s, int queue, int posted, int retired, int filled) {
    if (!hasRoom(s, queue, posted - 1, retired)) {
      throw new FindingException(reports.descriptor(queue, "is written over before it is done"));
    }
    s.proxies[queue * FIELDS + FILLED] = filled;
  }

  /** Whether the queue's proxy may take a step; {@code quiescent} if no other agent is enabled. */
  boolean goesOn(MachineState s, int queue, boolean quiescent) {
    if (!faults.proxies) {
      return true;
    }
    int at = ProxyLayout.count(model, model.rank(agents.queueLane[queue]));
    int rank = model.rank(agents.queueLane[queue]);
    return faults.proxyLives(rank, s.proxies[at + STEPS])
        && (quiescent || faults.proxyHurries(rank, s.allSteps - s.proxies[at + LAST]));
  }

  /** Whether the rank's proxy has crashed. */
  public boolean dead(MachineState s, int rank) {
    return faults.proxies
        && !faults.proxyLives(rank, s.proxies[ProxyLayout.count(model, rank) + STEPS]);
  }

  /** Whether there is a request to hand on. */
  boolean canForward(MachineState s, int queue, int posted) {
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
  void report(MachineState s, int queue, int completed, int row) {
    s.proxies[queue * FIELDS + REPORTED] = completed;
    s.proxies[queue * FIELDS + ROW] = row;
    reports.reported(s, queue, completed);
    stepped(s, queue);
  }

  private void stepped(MachineState s, int queue) {
    int rank = model.rank(agents.queueLane[queue]);
    enabledDirty.queue(queue);
    enabledDirty.lanesOf(rank);
    if (faults.proxies) {
      s.proxies[ProxyLayout.count(model, rank) + STEPS]++;
      s.proxies[ProxyLayout.count(model, rank) + LAST] = s.allSteps;
      intent(queue, words.footprint);
      for (int q = 0; q < agents.queues; q++) {
        enabledDirty.queue(q);
      }
    }
  }

  /**
   * Notes that steps for all queues of a faulty proxy conflict, since its fault depends on their
   * number.
   */
  public void intent(int queue, StepFootprint into) {
    if (faults.proxies) {
      into.changed(model.words.count + 1 + model.rank(agents.queueLane[queue]));
    }
  }

  /** Orders the lane after the reported completions. */
  void await(MachineState s, int queue) {
    int lane = agents.queueLane[queue];
    int row = s.proxies[queue * FIELDS + ROW];
    clocks.join(s, agents.leader[lane], s.releases, row);
    clocks.join(s, agents.worker[lane], s.releases, row);
    s.proxies[queue * FIELDS + ROW] = 0;
  }
}
