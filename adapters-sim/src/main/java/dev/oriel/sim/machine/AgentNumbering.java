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
    firstPatience = firstStage + QueueStages.COUNT * model.agents.queues;
    firstUpdate = firstPatience + model.lanes;
    firstProxy = firstUpdate + (updates ? model.lanes : 0);
    count = firstProxy + ProxyThreads.agents(model);
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
    return isProxy(agent) ? (agent - firstProxy) / 2 : (agent - firstStage) / QueueStages.COUNT;
  }

  /** The number of the stage in its queue. */
  int stageOf(int agent) {
    return (agent - firstStage) % QueueStages.COUNT;
  }

  /** Whether the proxy's step is to hand on, not to report. */
  boolean hands(int agent) {
    return (agent - firstProxy) % 2 == 0;
  }

  /** The agent's number after a renaming of ranks. */
  int renamed(RankPermutation names, int agent) {
    if (isLane(agent)) {
      return names.lane[agent];
    }
    if (isCaller(agent)) {
      return firstCaller + names.rank[agent - firstCaller];
    }
    if (isStage(agent)) {
      return firstStage + QueueStages.COUNT * names.queue[queueOf(agent)] + stageOf(agent);
    }
    if (isProxy(agent)) {
      return firstProxy + 2 * names.queue[queueOf(agent)] + (hands(agent) ? 0 : 1);
    }
    int first = isPatience(agent) ? firstPatience : firstUpdate;
    return first + names.lane[agent - first];
  }
}
