package dev.oriel.ibverbs.run;

import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.setup.StepAgreement;
import dev.oriel.ports.setup.WorldSizeCheck;
import java.util.List;
import java.util.function.Supplier;

/** One rank of a group whose other ranks are in other processes, or on other threads. */
public final class JoinedProcesses implements ProcessGroup {
  private final Bootstrap ranks;

  /** A member of that group, which stays the caller's, and open as long as the executor. */
  public JoinedProcesses(Bootstrap ranks) {
    this.ranks = ranks;
  }

  @Override
  public List<Integer> local(int world) {
    return List.of(ranks.rank());
  }

  @Override
  public List<byte[]> exchange(String step, List<byte[]> mine) {
    return ranks.allGather(step, mine.getFirst());
  }

  @Override
  public <T> T together(String step, Supplier<T> part) {
    return StepAgreement.all(ranks, step, part);
  }

  @Override
  public void meet(String step) {
    ranks.barrier(step);
  }

  @Override
  public void checkWorld(int world) {
    WorldSizeCheck.require(world, ranks);
  }
}
