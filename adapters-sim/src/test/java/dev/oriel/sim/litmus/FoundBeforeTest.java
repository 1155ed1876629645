package dev.oriel.sim.litmus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.sim.litmus.answer.CrossCheck;
import dev.oriel.sim.litmus.answer.LitmusVerdict;
import dev.oriel.sim.litmus.answer.LitmusVerdict.Answer;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.text.LitmusParser;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A write found by a strong read happens before later accesses of the reading thread, even weak
 * ones.
 */
class FoundBeforeTest {
  private static Answer decide(MemoryModel model, String first, String second, String condition) {
    String text =
        """
        PTX found
        { x=0; }
        P0@cta 0,gpu 0      | P1@cta 1,gpu 0 ;
        st.relaxed.gpu x, 1 | %s             ;
                            | %s             ;
        exists (P1:r1 == 1 /\\ %s)
        """
            .formatted(first, second, condition);
    LitmusVerdict verdict = new LitmusChecker(model).check(LitmusParser.parse(text));
    assertThat(verdict.crossCheck().result()).isEqualTo(CrossCheck.Result.AGREES);
    return verdict.answer();
  }

  @ParameterizedTest
  @EnumSource(MemoryModel.class)
  void aLaterStoreDoesNotPrecedeTheFoundWrite(MemoryModel model) {
    String over = "st.weak x, 2";
    assertThat(decide(model, "ld.relaxed.gpu r1, x", over, "x == 1")).isEqualTo(Answer.FORBIDDEN);
    assertThat(decide(model, "atom.relaxed.gpu.add r1, x, 0", over, "x == 1"))
        .isEqualTo(Answer.FORBIDDEN);
    assertThat(decide(model, "ld.weak r1, x", over, "x == 1")).isEqualTo(Answer.ALLOWED);
    assertThat(decide(model, "ld.relaxed.cta r1, x", over, "x == 1")).isEqualTo(Answer.ALLOWED);
  }

  @ParameterizedTest
  @EnumSource(MemoryModel.class)
  void aLaterLoadDoesNotMissTheFoundWrite(MemoryModel model) {
    String again = "ld.weak r2, x";
    assertThat(decide(model, "ld.relaxed.gpu r1, x", again, "P1:r2 == 0"))
        .isEqualTo(Answer.FORBIDDEN);
    assertThat(decide(model, "ld.weak r1, x", again, "P1:r2 == 0")).isEqualTo(Answer.ALLOWED);
  }

  /** Without proxies, versions 6.0 and 7.5 are equivalent. */
  @ParameterizedTest
  @CsvSource({"ld.relaxed.gpu", "ld.weak", "ld.acquire.sys"})
  void bothVersionsAgreeWithoutProxies(String load) {
    for (String condition : new String[] {"x == 1", "x == 2", "P1:r1 == 1"}) {
      assertThat(decide(MemoryModel.PTX_6_0, load + " r1, x", "st.weak x, 2", condition))
          .isEqualTo(decide(MemoryModel.PTX_7_5, load + " r1, x", "st.weak x, 2", condition));
    }
  }
}
