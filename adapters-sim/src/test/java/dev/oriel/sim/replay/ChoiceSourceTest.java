package dev.oriel.sim.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ChoiceSourceTest {

  @Test
  void aScriptIsPrintedAsItsDeviations() {
    assertThat(ChoiceScript.of(0, 0, 0, 0, 0, 2, 0, 1)).hasToString("5211");
    assertThat(ChoiceScript.of(0, 0, 0)).hasToString("-").isEqualTo(ChoiceScript.parse("-"));
    assertThat(ChoiceScript.of(17)).hasToString("0h1");
  }

  @Test
  void rejectsScriptsThatAreNeverPrinted() {
    assertThatThrownBy(() -> ChoiceScript.parse("")).hasMessageContaining("empty script");
    assertThatThrownBy(() -> ChoiceScript.parse("50")).hasMessageContaining("default among");
    assertThatThrownBy(() -> ChoiceScript.parse("5")).hasMessageContaining("without an end");
    assertThatThrownBy(() -> ChoiceScript.parse("5l"))
        .hasMessageContaining("not a digit: position=1");
    assertThatThrownBy(() -> ChoiceScript.parse("g01")).hasMessageContaining("longer than needed");
    assertThatThrownBy(() -> ChoiceScript.parse("zzzzzzzz1")).hasMessageContaining("too large");
    assertThatThrownBy(() -> ChoiceScript.of(1, -1)).hasMessageContaining("position=1, choice=-1");
  }

  @Test
  void aLongerScriptIsAnotherExecution() {
    ScriptedChoices choices = ScriptedChoices.strict(ChoiceScript.of(0, 1));
    assertThat(choices.choose(2)).isZero();
    assertThatThrownBy(choices::finish).hasMessageContaining("asked=1, length=2");
    assertThat(choices.choose(2)).isEqualTo(1);
    choices.finish();
  }

  @Test
  void rejectsAChoiceWithoutOptions() {
    assertThatThrownBy(() -> new RandomChoices(RandomStream.of(1)).choose(0))
        .hasMessageContaining("options=0");
    assertThatThrownBy(() -> ScriptedChoices.lenient(ChoiceScript.DEFAULT).choose(-1))
        .hasMessageContaining("options=-1");
  }
}
