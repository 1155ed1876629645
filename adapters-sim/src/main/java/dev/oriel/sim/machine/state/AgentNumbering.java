package dev.oriel.sim.machine.state;

import dev.oriel.sim.machine.layout.MachineModel;

/**
 * The numbers of a machine's agents.
 *
 * <pre>
 * agents   lanes | callers | fetch, place, read, fill of each queue | timeout of each lane
 *          | pending atomics of each lane, where lanes issue any
 *          | hand on, report of each queue, where proxies post
 * </pre>
 */
public final class AgentNumbering {
  /** The number of stages of a queue: fetch, place, read, fill. */
  public static final int STAGES = 4;

  public final int firstCaller;
  public final int firstStage;
  public final int firstTimeout;
  public final int firstUpdate;
  public final int firstProxy;

  /** How many agents there are. */
  public final int count;

  public AgentNumbering(MachineModel model, boolean updates) {
    firstCaller = model.lanes;
    firstStage = firstCaller + model.world;
    firstTimeout = firstStage + STAGES * model.agents.queues;
    firstUpdate = firstTimeout + model.lanes;
    firstProxy = firstUpdate + (updates ? model.lanes : 0);
    count = firstProxy + ProxyLayout.agents(model);
  }

  public boolean isLane(int agent) {
    return agent < firstCaller;
  }

  public boolean isCaller(int agent) {
    return agent >= firstCaller && agent < firstStage;
  }

  public boolean isStage(int agent) {
    return agent >= firstStage && agent < firstTimeout;
  }

  public boolean isTimeout(int agent) {
    return agent >= firstTimeout && agent < firstUpdate;
  }

  public boolean isUpdate(int agent) {
    return agent >= firstUpdate && agent < firstProxy;
  }

  public boolean isProxy(int agent) {
    return agent >= firstProxy;
  }

  /** The queue of the stage or of the proxy. */
  public int queueOf(int agent) {
    return isProxy(agent) ? (agent - firstProxy) / 2 : (agent - firstStage) / STAGES;
  }

  /** The number of the stage in its queue. */
  public int stageOf(int agent) {
    return (agent - firstStage) % STAGES;
  }

  /** Whether the proxy's step is to hand on, not to report. */
  public boolean hands(int agent) {
    return (agent - firstProxy) % 2 == 0;
  }
}
