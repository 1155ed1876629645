package dev.oriel.sim.litmus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.sim.litmus.answer.LitmusVerdict;
import dev.oriel.sim.litmus.answer.LitmusVerdict.Answer;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.text.LitmusParser;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Every shape in the resources has the verdict that its line in verdicts.csv gives. */
class LitmusRowsTest {

  static String text(String name) {
    try (InputStream in = LitmusRowsTest.class.getResourceAsStream("/litmus/" + name)) {
      assertThat(in).as("resource %s", name).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvFileSource(resources = "/litmus/verdicts.csv", numLinesToSkip = 1)
  void everyRowHasItsVerdict(
      String name, String ptx60, String ptx75, String ptxIsa, String termination) {
    LitmusTest test = LitmusParser.parse(text(name + ".litmus"));
    assertThat(test.name()).isEqualTo(name);
    check(test, MemoryModel.PTX_6_0, ptx60, termination);
    check(test, MemoryModel.PTX_7_5, ptx75, termination);
    check(test, MemoryModel.PTX_ISA, ptxIsa, termination);
  }

  private static void check(LitmusTest test, MemoryModel model, String answer, String termination) {
    LitmusVerdict verdict = new LitmusChecker(model).check(test);
    assertThat(verdict.answer()).as("%s", verdict).hasToString(answer);
    if (verdict.answer() != Answer.UNSUPPORTED) {
      assertThat(verdict.termination()).as("%s", verdict).hasToString(termination);
    }
  }

  @Test
  void everyRowHasANeighbourOfTheOppositeVerdict() {
    List<String> lines = text("verdicts.csv").lines().toList();
    for (int row = 1; row <= 33; row++) {
      String prefix = "g%02d-".formatted(row);
      long possible = 0;
      long impossible = 0;
      for (String line : lines) {
        if (line.startsWith(prefix)) {
          String answer = line.split(",", -1)[2];
          boolean yes = answer.equals("allowed") || answer.equals("always");
          possible += yes ? 1 : 0;
          impossible += yes ? 0 : 1;
        }
      }
      // Rows 6 to 8, and 17 and 18, differ by one edit from one another.
      assertThat(possible + impossible).as(prefix).isPositive();
      if (row != 7 && row != 8 && row != 6 && row != 17 && row != 18) {
        assertThat(possible).as(prefix).isPositive();
        assertThat(impossible).as(prefix).isPositive();
      }
    }
  }
}
