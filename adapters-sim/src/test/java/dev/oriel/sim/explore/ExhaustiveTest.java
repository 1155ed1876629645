package dev.oriel.sim.explore;

import dev.oriel.ports.ProgramRunner;
import dev.oriel.ports.contract.ProgramRunnerContract;
import java.util.Set;

final class ExhaustiveTest extends ProgramRunnerContract {

  ExhaustiveTest() {
    super(Set.of());
  }

  @Override
  protected ProgramRunner open() {
    return new Exhaustive(100_000, 2);
  }

  @Override
  protected ProgramRunner hurried() {
    return new Exhaustive(100, 1);
  }
}
