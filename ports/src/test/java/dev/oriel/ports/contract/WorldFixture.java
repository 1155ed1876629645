package dev.oriel.ports.contract;

import static dev.oriel.ports.contract.RankThreads.all;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/**
 * Joins the ranks of a world, each on a thread of the test, for the suites about communicators. A
 * suite may run in several processes at once, with some of the ranks in each.
 */
public abstract class WorldFixture {
  /** Memory that no test exhausts. */
  protected static final long PLENTY = 1 << 24;

  private final List<Bootstrap> groups = new ArrayList<>();

  protected WorldFixture() {}

  /**
   * Joins one rank; called on a thread of each rank of {@code topology} at once, with bootstraps of
   * one group.
   *
   * @param bytes the most that this rank's machine gives to windows, if that can be limited
   */
  protected abstract Communicator join(Bootstrap bootstrap, Topology topology, long bytes);

  /** The shape of a world; by default GPUs of one host. */
  protected Topology topology(int world) {
    return Topology.grid(1, world);
  }

  /** This process's ends of a new group; by default all of them. */
  protected List<Bootstrap> open(int world, Duration deadline) {
    return InProcessBootstrap.group(world, deadline);
  }

  /** Clears state that ranks of earlier worlds share, if there is any. */
  protected void newWorld() {}

  @AfterEach
  final void closeGroups() {
    groups.forEach(Bootstrap::close);
  }

  final List<Bootstrap> group(int world, Duration deadline) {
    newWorld();
    List<Bootstrap> group = open(world, deadline);
    groups.addAll(group);
    return group;
  }

  /** The results of {@code task} on every rank of a new world that runs in this process. */
  public final <T> List<T> inWorld(int world, RankThreads.Task<Communicator, T> task) {
    return all(
        group(world, Duration.ofSeconds(20)),
        bootstrap -> {
          try (Communicator communicator = join(bootstrap, topology(world), PLENTY)) {
            return task.run(communicator);
          }
        });
  }
}
