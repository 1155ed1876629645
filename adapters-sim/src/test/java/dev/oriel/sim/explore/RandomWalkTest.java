package dev.oriel.sim.explore;

import dev.oriel.ports.ProgramRunner;
import dev.oriel.ports.contract.ProgramRunnerContract;
import java.util.Set;

final class RandomWalkTest extends ProgramRunnerContract {

  RandomWalkTest() {
    super(Set.of(Capability.EXHAUSTION));
  }

  @Override
  protected ProgramRunner open() {
    return new RandomWalk(1, 300, 3);
  }

  @Override
  protected ProgramRunner hurried() {
    return new RandomWalk(1, 1, 1, 10_000);
  }
}
