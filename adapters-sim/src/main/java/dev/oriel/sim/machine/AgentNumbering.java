package dev.oriel.sim.machine;

import dev.oriel.sim.machine.layout.MachineModel;

/**
 * The numbers of a machine's agents.
 *
 * <pre>
 * agents   lanes | callers | fetch, place, read, fill of each queue | patience of each lane
 *          | pending atomics of each lane, where lanes issue any
 *          | hand on, report of each queue, where proxies post
 * </pre>
 */
final class AgentNumbering {
  /** The number of stages of a queue: fetch, place, read, fill. */
  static final int STAGES = 4;

  final int firstCaller;
  final int firstStage;
  final int firstPatience;
  final int firstUpdate;
  final int firstProxy;

  /** How many agents there are. */
  final int count;

  AgentNumbering(MachineModel model, boolean updates) {
    firstCaller = model.lanes;
    firstStage = firstCaller + model.world;
    firstPatience = firstStage + STAGES * model.agents.queues;
    firstUpdate = firstPatience + model.lanes;
    firstProxy = firstUpdate + (updates ? model.lanes : 0);
    count = firstProxy + ProxyLayout.agents(model);
  }

  boolean isLane(int agent) {
    return agent < firstCaller;
  }

  boolean isCaller(int agent) {
    return agent >= firstCaller && agent < firstStage;
  }

  boolean isStage(int agent) {
    return agent >= firstStage && agent < firstPatience;
  }

  boolean isPatience(int agent) {
    return agent >= firstPatience && agent < firstUpdate;
  }

  boolean isUpdate(int agent) {
    return agent >= firstUpdate && agent < firstProxy;
  }

  boolean isProxy(int agent) {
    return agent >= firstProxy;
  }

  /** The queue of the stage or of the proxy. */
  int queueOf(int agent) {
    return isProxy(agent) ? (agent - firstProxy) / 2 : (agent - firstStage) / STAGES;
  }

  /** The number of the stage in its queue. */
  int stageOf(int agent) {
    return (agent - firstStage) % STAGES;
  }

  /** Whether the proxy's step is to hand on, not to report. */
  boolean hands(int agent) {
    return (agent - firstProxy) % 2 == 0;
  }
}
