package dev.oriel.sim.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.NumericChars;
import net.jqwik.api.constraints.StringLength;

class ChoiceScriptProperties {

  @Provide
  Arbitrary<ChoiceScript> scripts() {
    return ReplayFixtures.scripts();
  }

  @Provide
  Arbitrary<int[]> questions() {
    return Arbitraries.integers().between(1, 9).array(int[].class).ofMaxSize(50);
  }

  @Property
  void readsBackWhatItPrints(@ForAll("scripts") ChoiceScript script) {
    assertThat(ChoiceScript.parse(script.toString())).isEqualTo(script);
  }

  @Property
  void everyParsedScriptHasOneSpelling(
      @ForAll @AlphaChars @NumericChars @StringLength(max = 12) String text) {
    try {
      assertThat(ChoiceScript.parse(text)).hasToString(text);
    } catch (ReplayException refused) {
      assertThat(refused).hasMessageContaining(";");
    }
  }

  @Property
  void trailingZerosAreDropped(
      @ForAll("scripts") ChoiceScript script, @ForAll @IntRange(max = 9) int more) {
    int[] longer = Arrays.copyOf(script.toArray(), script.length() + more);
    assertThat(ChoiceScript.of(longer)).isEqualTo(script);
  }

  @Property
  void aRecordingReplaysTheSame(@ForAll long seed, @ForAll("questions") int[] questions) {
    RecordingChoices recording = new RecordingChoices(new RandomChoices(RandomStream.of(seed)));
    int[] first = new int[questions.length];
    for (int i = 0; i < questions.length; i++) {
      first[i] = recording.choose(questions[i]);
      assertThat(first[i]).isBetween(0, questions[i] - 1);
    }
    ScriptedChoices replay =
        ScriptedChoices.strict(ChoiceScript.parse(recording.script().toString()));
    for (int i = 0; i < questions.length; i++) {
      assertThat(replay.choose(questions[i])).isEqualTo(first[i]);
    }
    replay.finish();
  }

  @Property
  void aChoiceWithOneOptionConsumesNothing(
      @ForAll("scripts") ChoiceScript script, @ForAll boolean[] trivial) {
    ScriptedChoices plain = ScriptedChoices.strict(script);
    ScriptedChoices asked = ScriptedChoices.strict(script);
    for (boolean one : trivial) {
      if (one) {
        assertThat(asked.choose(1)).isZero();
      } else {
        assertThat(asked.choose(Integer.MAX_VALUE)).isEqualTo(plain.choose(Integer.MAX_VALUE));
      }
    }
  }

  @Property
  void onlyAStrictScriptReportsErrors(
      @ForAll("scripts") ChoiceScript script, @ForAll @IntRange(min = 2, max = 5) int options) {
    ScriptedChoices strict = ScriptedChoices.strict(script);
    ScriptedChoices lenient = ScriptedChoices.lenient(script);
    for (int i = 0; i < script.length(); i++) {
      assertThat(lenient.choose(options)).isEqualTo(Math.min(script.at(i), options - 1));
      if (script.at(i) >= options) {
        assertThatThrownBy(() -> strict.choose(options))
            .isInstanceOf(ReplayException.class)
            .hasMessageContaining("position=" + i + ", choice=" + script.at(i));
        return;
      }
      assertThat(strict.choose(options)).isEqualTo(script.at(i));
    }
  }
}
