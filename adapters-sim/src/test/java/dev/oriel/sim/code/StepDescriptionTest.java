package dev.oriel.sim.code;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StepDescriptionTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "signal all[0]@peer$0 set met$all release | signal all[0]@peer set meetings(all) release",
        "move box@(p)[element$12 * 8] <- in[0] bytes 8 | move box@(p)[element * 8] <- in[0] bytes 8",
        "await all[0]@peers reached met$all acquire | await all[0]@peers reached meetings(all) acquire",
        "load peer <- box[0] | load peer <- box[0]"
      })
  void generatedNamesArePrintedAsTheirMeaning(String step, String described) {
    assertThat(StepDescription.of(step)).isEqualTo(described);
  }
}
