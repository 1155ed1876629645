package dev.oriel.sim.machine;

/** Whose being enabled one step may have changed. */
final class Wakes {
  private final boolean[] ranks;
  private final boolean[] queues;
  private final int[] rankList;
  private final int[] queueList;
  private int rankCount;
  private int queueCount;

  Wakes(Model model) {
    ranks = new boolean[model.world];
    queues = new boolean[model.agents.queues];
    rankList = new int[model.world];
    queueList = new int[model.agents.queues];
  }

  /** Lanes of that rank may go on. */
  void rank(int rank) {
    if (!ranks[rank]) {
      ranks[rank] = true;
      rankList[rankCount++] = rank;
    }
  }

  /** Stages of that queue may go on. */
  void queue(int queue) {
    if (!queues[queue]) {
      queues[queue] = true;
      queueList[queueCount++] = queue;
    }
  }

  int ranks() {
    return rankCount;
  }

  int rankAt(int i) {
    return rankList[i];
  }

  int queues() {
    return queueCount;
  }

  int queueAt(int i) {
    return queueList[i];
  }

  void clear() {
    for (int i = 0; i < rankCount; i++) {
      ranks[rankList[i]] = false;
    }
    for (int i = 0; i < queueCount; i++) {
      queues[queueList[i]] = false;
    }
    rankCount = 0;
    queueCount = 0;
  }
}
