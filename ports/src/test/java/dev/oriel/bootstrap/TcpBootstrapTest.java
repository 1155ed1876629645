package dev.oriel.bootstrap;

import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.contract.BootstrapContract;
import java.time.Duration;
import java.util.List;
import java.util.Set;

final class TcpBootstrapTest extends BootstrapContract {
  TcpBootstrapTest() {
    super(Set.of());
  }

  @Override
  protected List<Bootstrap> open(int world, Duration deadline) {
    return TcpGroups.open(world, deadline);
  }

  @Override
  protected int contributionLimit() {
    return TcpGroups.LIMITS.contributionBytes();
  }
}
