package dev.oriel.bootstrap;

import dev.oriel.ports.Bootstrap;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** A group whose ranks are threads, platform or virtual, of this one process. */
public final class InProcessBootstrap extends CollectiveBootstrap {
  private InProcessBootstrap(
      int rank, int world, Duration deadline, ContributionLimits limits, InProcessGroup group) {
    super(rank, world, deadline, limits.perRank(world), group.end(rank));
  }

  /** One end for each rank of a new group, in rank order; the user of an end closes it. */
  public static List<Bootstrap> group(int world, Duration deadline) {
    return group(world, deadline, ContributionLimits.standard());
  }

  /** One end for each rank of a new group with limits of its own. */
  public static List<Bootstrap> group(int world, Duration deadline, ContributionLimits limits) {
    RankChecks.checkWorld(world);
    MonotonicDeadline.in(deadline);
    InProcessGroup group = new InProcessGroup(world);
    return IntStream.range(0, world)
        .<Bootstrap>mapToObj(rank -> new InProcessBootstrap(rank, world, deadline, limits, group))
        .toList();
  }
}
