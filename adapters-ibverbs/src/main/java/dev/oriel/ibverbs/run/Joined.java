package dev.oriel.ibverbs.run;

import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Status;
import java.util.List;

/** One rank of a group whose other ranks are in other processes, or on other threads. */
public final class Joined implements Company {
  private final Bootstrap ranks;

  /** A member of that group, which stays the caller's and open for as long as the executor. */
  public Joined(Bootstrap ranks) {
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
  public void agree(String step, Status mine) {
    try {
      ranks.agree(step, mine);
    } catch (BootstrapException e) {
      if (e.kind() == BootstrapException.Kind.AGREEMENT_FAILED) {
        throw new MachineException(String.valueOf(e.getMessage()), e);
      }
      throw e;
    }
  }

  @Override
  public void meet(String step) {
    ranks.barrier(step);
  }

  @Override
  public void checkWorld(int world) {
    if (world != ranks.world()) {
      throw new MachineException(
          "program and group disagree: program=%d ranks, group=%d ranks; bind the program to the group's world"
              .formatted(world, ranks.world()));
    }
  }
}
