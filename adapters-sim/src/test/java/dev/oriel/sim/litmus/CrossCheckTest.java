package dev.oriel.sim.litmus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.sim.litmus.CrossCheck.Result;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** The operational engine agrees on every shape in the resources, under every model. */
class CrossCheckTest {

  @ParameterizedTest(name = "{0}")
  @CsvFileSource(resources = "/litmus/verdicts.csv", numLinesToSkip = 1)
  void agrees(String name) {
    LitmusTest test = LitmusParser.parse(LitmusRowsTest.text(name + ".litmus"));
    for (MemoryModel model : MemoryModel.values()) {
      CrossCheck check = new LitmusChecker(model).check(test).crossCheck();
      System.out.println(name + " " + model + " " + check);
      assertThat(check.result()).as("%s %s", model, check).isNotIn(Result.DIFFERS);
    }
  }
}
