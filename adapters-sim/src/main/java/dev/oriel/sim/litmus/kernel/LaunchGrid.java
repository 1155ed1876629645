package dev.oriel.sim.litmus.kernel;

import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.test.LitmusThread;
import dev.oriel.sim.litmus.test.ThreadPlacement;
import java.util.List;
import java.util.stream.Stream;

/**
 * The placement of the threads of one copy: the GPU, the block on it, and the thread in the block.
 * Blocks of a cluster have consecutive numbers. Idle blocks fill up a smaller cluster, because a
 * launch has clusters of one size.
 */
final class LaunchGrid {
  private final LitmusTest test;
  private final List<Integer> gpus;

  LaunchGrid(LitmusTest test) {
    this.test = test;
    gpus = test.threads().stream().map(t -> t.placement().gpu()).distinct().sorted().toList();
  }

  /** The number of GPUs that one copy needs. */
  int gpus() {
    return gpus.size();
  }

  /** Blocks of each cluster; 1 if no block shares one. */
  int clusterSize() {
    return (int)
        placements()
            .mapToLong(p -> placements().filter(other -> sharesCluster(p, other)).count())
            .max()
            .orElse(1);
  }

  /** Blocks on the n-th GPU. */
  int blocks(int gpu) {
    return clusters(gpu).size() * clusterSize();
  }

  /** The most threads that a block has. */
  int threadsOfBlock() {
    return test.threads().stream().mapToInt(t -> place(t) + 1).max().orElse(0);
  }

  /** The index of the thread's GPU among the used GPUs. */
  int gpu(LitmusThread thread) {
    return gpus.indexOf(thread.placement().gpu());
  }

  /** The number of the thread's block among those of its GPU. */
  int block(LitmusThread thread) {
    ThreadPlacement here = thread.placement();
    List<ThreadPlacement> cluster =
        placements().filter(other -> sharesCluster(here, other)).toList();
    return clusters(gpu(thread)).indexOf(here.cluster()) * clusterSize() + cluster.indexOf(here);
  }

  /** The number of the thread among those of its block. */
  int place(LitmusThread thread) {
    return (int) company(thread).filter(t -> t.number() < thread.number()).count();
  }

  /** The threads of a thread's block, including itself. */
  Stream<LitmusThread> company(LitmusThread thread) {
    return test.threads().stream().filter(t -> t.placement().equals(thread.placement()));
  }

  private static boolean sharesCluster(ThreadPlacement one, ThreadPlacement other) {
    return one.gpu() == other.gpu() && one.cluster() == other.cluster();
  }

  private List<Integer> clusters(int gpu) {
    return placements()
        .filter(p -> gpus.indexOf(p.gpu()) == gpu)
        .map(ThreadPlacement::cluster)
        .distinct()
        .toList();
  }

  private Stream<ThreadPlacement> placements() {
    return test.threads().stream().map(LitmusThread::placement).distinct();
  }
}
