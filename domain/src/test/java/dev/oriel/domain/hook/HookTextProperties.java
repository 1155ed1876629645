package dev.oriel.domain.hook;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

class HookTextProperties {

  @Property
  void readsBackWhatItPrints(@ForAll @Size(max = 200) List<Integer> tape) {
    Hook hook = ExpressionTape.hook(tape);
    assertThat(Hook.parse(hook.text())).isEqualTo(hook);
    assertThat(Hook.parse(hook.text()).text()).isEqualTo(hook.text());
  }

  @Property
  void refusesBrokenTextOnlyByName(
      @ForAll @Size(max = 60) List<Integer> tape, @ForAll("pieces") String piece, @ForAll int at) {
    String text = ExpressionTape.hook(tape).text();
    int cut = Math.floorMod(at, text.length());
    String broken = text.substring(0, cut) + piece + text.substring(cut + 1);
    try {
      assertThat(Hook.parse(broken)).isNotNull();
    } catch (HookSyntaxException refused) {
      assertThat(refused.line()).isEqualTo(1);
      assertThat(refused.column()).isBetween(1, broken.length() + 1);
    }
  }

  @Provide
  Arbitrary<String> pieces() {
    return Arbitraries.of(
        "", "(", ")", ",", "-", "i", "in0", "in9", "9", "1e99", ":", "~", "f32(", "=", "nan", ">");
  }
}
