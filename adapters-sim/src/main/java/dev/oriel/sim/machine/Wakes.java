package dev.oriel.sim.machine;

import dev.oriel.sim.machine.layout.Model;

/** Whose being enabled one step may have changed. */
final class Wakes {
  private final Model model;
  private final Marks lanes;
  private final Marks callers;
  private final Marks queues;

  Wakes(Model model) {
    this.model = model;
    lanes = new Marks(model.lanes);
    callers = new Marks(model.world);
    queues = new Marks(model.agents.queues);
  }

  /** Lanes of that rank, and its caller, may go on. */
  void rank(int rank) {
    lanesOf(rank);
    callers.add(rank);
  }

  /** Lanes of that rank may go on. */
  void lanesOf(int rank) {
    for (int l = model.firstLane[rank]; l < model.firstLane[rank + 1]; l++) {
      lanes.add(l);
    }
  }

  /** Stages of that queue may go on. */
  void queue(int queue) {
    queues.add(queue);
  }

  /** A lane that was noted, and is no longer; -1 if there is none. */
  int nextLane() {
    return lanes.take();
  }

  /** A rank whose caller was noted, and is no longer; -1 if there is none. */
  int nextCaller() {
    return callers.take();
  }

  /** A queue that was noted, and is no longer; -1 if there is none. */
  int nextQueue() {
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
