package dev.oriel.sim.weak;

import dev.oriel.ports.ProgramRunner;
import dev.oriel.ports.contract.ProgramRunnerContract;
import java.util.Set;

final class SynchronisationSearchContractTest extends ProgramRunnerContract {

  SynchronisationSearchContractTest() {
    super(Set.of());
  }

  @Override
  protected ProgramRunner open() {
    return new SynchronisationSearch(1000, 3);
  }

  @Override
  protected ProgramRunner hurried() {
    return new SynchronisationSearch(1, 1, 10);
  }
}
