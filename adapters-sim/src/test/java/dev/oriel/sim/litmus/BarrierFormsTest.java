package dev.oriel.sim.litmus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.sim.litmus.answer.CrossCheck;
import dev.oriel.sim.litmus.answer.LitmusVerdict;
import dev.oriel.sim.litmus.answer.LitmusVerdict.Answer;
import dev.oriel.sim.litmus.answer.LitmusVerdict.Termination;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.text.LitmusParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Barriers with a count of threads, or with their number in a register. */
class BarrierFormsTest {
  private static final String SIGNAL =
      """
      PTX signal
      { x=0; y=0; P0:r8=1; P1:r8=1; P1:r9=2; }
      P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 | P3@cta 1,gpu 0 ;
      st.weak x, 1   | %s             | st.weak y, 1   | %s             ;
      %s             | ld.weak r1, x  |                |                ;
      %s
      """;

  private static LitmusVerdict check(String text) {
    return new LitmusChecker(MemoryModel.PTX_7_5).check(LitmusParser.parse(text));
  }

  private static LitmusVerdict signal(String writer, String reader, String condition) {
    return check(SIGNAL.formatted(reader, "", writer, condition));
  }

  private static Answer stale(String writer, String reader) {
    LitmusVerdict verdict = signal(writer, reader, "exists (P1:r1 == 0)");
    if (verdict.answer() != Answer.UNSUPPORTED) {
      assertThat(verdict.crossCheck().result()).isEqualTo(CrossCheck.Result.AGREES);
      assertThat(signal(writer, reader, "exists (P1:r1 == 1)").answer()).isEqualTo(Answer.ALLOWED);
    }
    return verdict.answer();
  }

  /** A count is one of threads, or of the warps of which each thread is one. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bar.sync 1, 2             | bar.sync 1, 2             | FORBIDDEN",
        "barrier.sync 1, 64        | barrier.sync.aligned 1, 64 | FORBIDDEN",
        "barrier.cta.sync 0, 2     | bar.sync 0, 2             | FORBIDDEN",
        "bar.arrive 1, 2           | bar.sync 1, 2             | FORBIDDEN",
        "barrier.cta.arrive 1, 64  | barrier.cta.sync 1, 64    | FORBIDDEN",
        "bar.sync 1, 2             | bar.arrive 1, 2           | ALLOWED",
        "bar.sync 1, 1             | bar.sync 2, 1             | ALLOWED",
        "bar.sync 1                | bar.sync 2                | ALLOWED",
        "bar.cta.sync r8           | bar.cta.sync 1            | FORBIDDEN",
        "bar.sync r8               | barrier.sync r8           | FORBIDDEN",
        "bar.cta.sync r8           | bar.cta.sync r9           | ALLOWED",
        "bar.cta.sync r8           | bar.cta.sync 2            | ALLOWED",
      })
  void barrierFormsHaveTheirDefinedMeaning(String writer, String reader, Answer answer) {
    assertThat(stale(writer, reader)).isEqualTo(answer);
  }

  /** The participants of a barrier must not depend on the order of arrival. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bar.sync 1, 3       | bar.sync 1, 3       | barrier that counts others than all who name it=2",
        "bar.sync 1, 1       | bar.sync 1, 1       | barrier that counts others than all who name it=2",
        "bar.sync 1, 64      | bar.sync 1, 2       | barrier with different counts=2",
        "bar.sync 1, 2       | bar.sync 1          | barrier with different counts=1",
        "bar.sync 1, 2       | bar.cta.sync 1, 0, 2 | barriers with a count and with a resource=1",
        "bar.sync r8         | bar.sync 1, 2       | barrier's number in a register, among others=1",
        "bar.sync r8, 2      | bar.sync 1          | bar.sync=1",
        "bar.sync 1, r8      | bar.sync 1          | bar.sync=1",
        "bar.arrive 1        | bar.sync 1          | bar.arrive=1",
        "bar.red.popc.u32 r5, 1, p | bar.sync 1    | bar.red.popc.u32=1",
      })
  void ambiguousBarriersAreNamed(String writer, String reader, String named) {
    LitmusVerdict verdict = signal(writer, reader, "exists (P1:r1 == 1)");
    assertThat(verdict.answer()).isEqualTo(Answer.UNSUPPORTED);
    assertThat(verdict.unsupported()).hasToString("{" + named + "}");
  }

  /** Two arrivals of one thread would release the others too early. */
  @ParameterizedTest
  @ValueSource(strings = {"bar.arrive 1, 2", "bar.sync 1, 2", "bra A"})
  void aThreadMayNotArriveTwice(String then) {
    String text =
        "PTX again\n{}\nP0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\nA: bar.arrive 1, 2 | bar.sync 1, 2 ;\n";
    LitmusVerdict again = check(text + then + " | ;\nexists (x == 0)");
    assertThat(again.unsupported())
        .containsKey("barrier at which a thread arrives and comes again");
    assertThat(check(text + "exists (x == 0)").answer()).isEqualTo(Answer.ALLOWED);
  }

  /** The same number names a different barrier in another block. */
  @Test
  void onlyThreadsOfTheBlockAreCounted() {
    String text = SIGNAL.formatted("bar.sync 1, 2", "%s", "bar.sync 1, 2", "exists (P1:r1 == 0)");
    assertThat(check(text.formatted("bar.sync 1, 1")).answer()).isEqualTo(Answer.FORBIDDEN);
    assertThat(check(text.formatted("bar.sync 1, 2")).answer()).isEqualTo(Answer.UNSUPPORTED);
  }

  /** A count excludes threads that have left; rounds complete one after another. */
  @Test
  void barrierRoundsCompleteOneAfterAnother() {
    String text =
        """
        PTX rounds
        { x=0; P0:r1=0; P1:r1=0; }
        P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
        A: bar.sync 0, 2 | B: bar.sync 0, 2 ;
        st.weak x, r1    | bar.sync 1, 2    ;
        bar.sync 1, 2    | ld.weak r3, x    ;
        add r1, r1, 1    | add r1, r1, 1    ;
        blt r1, 3, A     | blt r1, %d, B    ;
        exists (P1:r3 == 2)
        """;
    LitmusVerdict even = check(text.formatted(3));
    assertThat(even.answer()).isEqualTo(Answer.ALLOWED);
    assertThat(even.crossCheck().result()).isEqualTo(CrossCheck.Result.AGREES);
    assertThat(check(text.formatted(3).replace("== 2", "!= 2")).answer())
        .isEqualTo(Answer.FORBIDDEN);
    LitmusVerdict odd = check(text.formatted(2));
    assertThat(odd.answer()).isEqualTo(Answer.FORBIDDEN);
    assertThat(odd.termination()).isEqualTo(Termination.NEVER_FINISHES);
  }

  /**
   * A register is evaluated at the barrier: with a number that races, threads meet in some
   * executions only.
   */
  @Test
  void aNumberInARegisterMayRace() {
    String text =
        """
        PTX raced
        { x=0; y=0; n=0; }
        P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 ;
        st.weak x, 1   | bar.sync 1     | st.weak n, 1   ;
        ld.weak r2, n  | ld.weak r1, x  |                ;
        bar.sync r2    |                |                ;
        exists (P0:r2 == %d /\\ P1:r1 == 0)
        """;
    assertThat(check(text.formatted(0)).answer()).isEqualTo(Answer.ALLOWED);
    assertThat(check(text.formatted(1)).answer()).isEqualTo(Answer.FORBIDDEN);
    String twice = text.formatted(1).replace("ld.weak r1, x  |", "bar.sync 2 |");
    assertThat(check(twice).answer()).isEqualTo(Answer.UNSUPPORTED);
  }

  /** Older names of Dartagnan's dialect. */
  @Test
  void olderNamesAreParsed() {
    String text =
        """
        PTX older
        { x=0; z @ surface virtually aliases x; }
        P0@cta 0,gpu 0                  ;
        ld.weak r1, 4                   ;
        plus r2, r1, 5                  ;
        st.weak x, r2                   ;
        atom.acq_rel.gpu.plus r3, x, 3  ;
        red.relaxed.sys.minus x, 2      ;
        minus r4, r3, 1                 ;
        forall (P0:r2 == 9 /\\ P0:r3 == 9 /\\ P0:r4 == 8 /\\ x == 10)
        """;
    assertThat(check(text).answer()).isEqualTo(Answer.ALWAYS);
    assertThat(check(text.replace("x == 10", "x == 12")).answer()).isEqualTo(Answer.NOT_ALWAYS);
    assertThat(
            check(text.replace("ld.weak r1", "ld.relaxed.gpu r1").replace(", 4", ", [x]")).answer())
        .isEqualTo(Answer.NOT_ALWAYS);
  }
}
