package dev.oriel.sim.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ChoicesTest {

  @Test
  void aScriptIsPrintedAsItsDeviations() {
    assertThat(Script.of(0, 0, 0, 0, 0, 2, 0, 1)).hasToString("5211");
    assertThat(Script.of(0, 0, 0)).hasToString("-").isEqualTo(Script.parse("-"));
    assertThat(Script.of(17)).hasToString("0h1");
  }

  @Test
  void rejectsScriptsThatAreNeverPrinted() {
    assertThatThrownBy(() -> Script.parse("")).hasMessageContaining("empty script");
    assertThatThrownBy(() -> Script.parse("50")).hasMessageContaining("default among");
    assertThatThrownBy(() -> Script.parse("5")).hasMessageContaining("without an end");
    assertThatThrownBy(() -> Script.parse("5l")).hasMessageContaining("not a digit: position=1");
    assertThatThrownBy(() -> Script.parse("g01")).hasMessageContaining("longer than needed");
    assertThatThrownBy(() -> Script.parse("zzzzzzzz1")).hasMessageContaining("too large");
    assertThatThrownBy(() -> Script.of(1, -1)).hasMessageContaining("position=1, choice=-1");
  }

  @Test
  void aLongerScriptIsAnotherExecution() {
    ScriptedChoices choices = ScriptedChoices.strict(Script.of(0, 1));
    assertThat(choices.choose(2)).isZero();
    assertThatThrownBy(choices::finish).hasMessageContaining("asked=1, length=2");
    assertThat(choices.choose(2)).isEqualTo(1);
    choices.finish();
  }

  @Test
  void rejectsAChoiceWithoutOptions() {
    assertThatThrownBy(() -> new RandomChoices(Draws.of(1)).choose(0))
        .hasMessageContaining("options=0");
    assertThatThrownBy(() -> ScriptedChoices.lenient(Script.DEFAULT).choose(-1))
        .hasMessageContaining("options=-1");
  }
}
