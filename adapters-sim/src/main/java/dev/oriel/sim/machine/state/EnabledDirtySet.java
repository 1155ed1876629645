package dev.oriel.sim.machine.state;

import dev.oriel.sim.machine.layout.MachineModel;

/** Agents that one step may have enabled or disabled. */
public final class EnabledDirtySet {
  private final MachineModel model;
  private final Marks lanes;
  private final Marks callers;
  private final Marks queues;

  public EnabledDirtySet(MachineModel model) {
    this.model = model;
    lanes = new Marks(model.lanes);
    callers = new Marks(model.world);
    queues = new Marks(model.agents.queues);
  }

  /** Marks the rank's lanes and its caller. */
  public void rank(int rank) {
    lanesOf(rank);
    callers.add(rank);
  }

  /** Marks the rank's lanes. */
  public void lanesOf(int rank) {
    for (int l = model.firstLane[rank]; l < model.firstLane[rank + 1]; l++) {
      lanes.add(l);
    }
  }

  /** Marks the queue, whose stages may be enabled. */
  public void queue(int queue) {
    queues.add(queue);
  }

  /** Takes a marked lane and clears its mark; -1 if there is none. */
  public int nextLane() {
    return lanes.take();
  }

  /** Takes a marked caller's rank and clears its mark; -1 if there is none. */
  public int nextCaller() {
    return callers.take();
  }

  /** Takes a marked queue and clears its mark; -1 if there is none. */
  public int nextQueue() {
    return queues.take();
  }

  /** Numbers, each at most once. */
  private static final class Marks {
    private final boolean[] marked;
    private final int[] list;
    private int count;

    Marks(int bound) {
      marked = new boolean[bound];
      list = new int[bound];
    }

    void add(int number) {
      if (!marked[number]) {
        marked[number] = true;
        list[count++] = number;
      }
    }

    int take() {
      if (count == 0) {
        return -1;
      }
      int number = list[--count];
      marked[number] = false;
      return number;
    }
  }
}
