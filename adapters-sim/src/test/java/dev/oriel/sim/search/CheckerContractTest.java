package dev.oriel.sim.search;

import dev.oriel.ports.ProgramRunner;
import dev.oriel.ports.contract.ProgramRunnerContract;
import dev.oriel.sim.machine.settings.Profile;
import java.util.Set;

final class CheckerContractTest extends ProgramRunnerContract {

  CheckerContractTest() {
    super(Set.of());
  }

  @Override
  protected ProgramRunner open() {
    return new Checker(Strategy.PORTFOLIO, Budget.DEFAULT, 1, Checker.strict(Profile.L2, 3));
  }

  @Override
  protected ProgramRunner hurried() {
    return new Checker(
        Strategy.PORTFOLIO, new Budget(1, 1, 10, 10_000), 1, Checker.strict(Profile.L2, 1));
  }
}
