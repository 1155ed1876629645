package dev.oriel.bootstrap;

import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.contract.BootstrapContract;
import java.time.Duration;
import java.util.List;
import java.util.Set;

final class InProcessBootstrapTest extends BootstrapContract {
  private static final int LIMIT = 1 << 16;

  InProcessBootstrapTest() {
    super(Set.of());
  }

  @Override
  protected List<Bootstrap> open(int world, Duration deadline) {
    return InProcessBootstrap.group(world, deadline, new ContributionLimits(LIMIT, 1 << 24));
  }

  @Override
  protected int contributionLimit() {
    return LIMIT;
  }
}
