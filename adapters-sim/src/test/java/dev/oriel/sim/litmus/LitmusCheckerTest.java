package dev.oriel.sim.litmus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.measure.ProcessorTime;
import dev.oriel.sim.litmus.answer.CrossCheck;
import dev.oriel.sim.litmus.answer.LitmusVerdict;
import dev.oriel.sim.litmus.answer.LitmusVerdict.Answer;
import dev.oriel.sim.litmus.answer.LitmusVerdict.Termination;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.ends.FairCycle;
import dev.oriel.sim.litmus.text.LitmusParser;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class LitmusCheckerTest {
  private static final LitmusChecker CHECKER = new LitmusChecker(MemoryModel.PTX_7_5);

  /** Threads of two blocks alternately, all with the same code. */
  private static String alike(int threads, String... code) {
    StringBuilder text = new StringBuilder("PTX alike\n{ x=0; y=0; }\n");
    for (int t = 0; t < threads; t++) {
      text.append(t > 0 ? " | " : "").append("P%d@cta %d,gpu 0".formatted(t, t % 2));
    }
    for (String line : code) {
      text.append(" ;\n").append(String.join(" | ", Collections.nCopies(threads, line)));
    }
    return text.append(" ;\n").toString();
  }

  private static LitmusVerdict check(String text) {
    return CHECKER.check(LitmusParser.parse(text));
  }

  @Test
  void countsExecutionsAndStates() {
    LitmusVerdict verdict =
        check(
            """
            PTX counted
            { x=0; f=0; }
            P0@cta 0,gpu 0      | P1@cta 0,gpu 1       ;
            st.weak x, 7        | ld.acquire.sys r1, f ;
            st.release.sys f, 1 | ld.weak r2, x        ;
            exists (P1:r1 == 1 /\\ P1:r2 == 0)
            """);
    assertThat(verdict.answer()).isEqualTo(Answer.FORBIDDEN);
    assertThat(verdict.executions()).isEqualTo(3);
    assertThat(verdict.states()).isEqualTo(3);
    assertThat(verdict.bounds()).isEmpty();
  }

  @Test
  void atomicUpdatesOfFiveThreadsAddUp() {
    LitmusVerdict verdict = check(alike(5, "atom.relaxed.gpu.add r0, x, 1") + "forall (x == 5)");
    assertThat(verdict.answer()).isEqualTo(Answer.ALWAYS);
    assertThat(verdict.executions()).isEqualTo(120);
  }

  /** Two updates never read the same write, so 7 threads have few more orders than 7!. */
  @Test
  void atomicUpdatesOfSevenThreadsAddUp() {
    LitmusVerdict verdict = check(alike(7, "atom.relaxed.gpu.add r0, x, 1") + "forall (x == 7)");
    assertThat(verdict.answer()).isEqualTo(Answer.ALWAYS);
    assertThat(verdict.executions()).isEqualTo(5040);
  }

  @Test
  void aSearchBeyondItsBudgetReportsItsBounds() {
    String text = alike(8, "st.relaxed.gpu x, 1", "ld.relaxed.gpu r0, y", "st.relaxed.gpu y, 2");
    LitmusChecker small = new LitmusChecker(MemoryModel.PTX_7_5, 20_000, 2);
    LitmusVerdict open = small.check(LitmusParser.parse(text + "exists (x == 9)"));
    assertThat(open.answer()).isEqualTo(Answer.UNDECIDED);
    assertThat(open.bounds()).contains("stopped after the work of 20000 choices");
    LitmusVerdict seen = small.check(LitmusParser.parse(text + "exists (x == 1)"));
    assertThat(seen.answer()).isEqualTo(Answer.ALLOWED);
    assertThat(seen.bounds()).isNotEmpty();
  }

  @Test
  void theLargestTestsEndInTime() {
    String wide = alike(32, "atom.acq_rel.gpu.add r0, x, 1") + "exists (x == 99)";
    String looping =
        alike(3, "A:", "atom.relaxed.gpu.add r0, x, 1", "bne r0, 7, A", "st.weak y, 1")
            + "exists (y == 9)";
    String branching =
        alike(4, "ld.weak r0, x", "beq r0, 1, A", "st.weak y, 1", "A:") + "exists (y == 9)";
    for (String text : new String[] {wide, looping, branching}) {
      LitmusChecker bounded = new LitmusChecker(MemoryModel.PTX_ISA, 100_000, 2);
      assertThat(ProcessorTime.of(() -> bounded.check(LitmusParser.parse(text))))
          .isLessThan(Duration.ofSeconds(20));
    }
  }

  @Test
  void moreThanSixtyFourEventsAreReportedAsABound() {
    String[] code = Collections.nCopies(40, "st.weak x, 1").toArray(String[]::new);
    LitmusVerdict verdict = check(alike(2, code) + "exists (x == 2)");
    assertThat(verdict.answer()).isEqualTo(Answer.UNDECIDED);
    assertThat(verdict.bounds()).containsExactly("left out paths of more than 64 events");
  }

  @Test
  void aCountingLoopIsUnrolledUpToTheLimit() {
    String text =
        """
        PTX counting
        { x=0; }
        P0@cta 0,gpu 0                  ;
        A:                              ;
        atom.relaxed.gpu.add r0, x, 1   ;
        bne r0, 3, A                    ;
        exists (x == 4)
        """;
    LitmusVerdict shallow =
        new LitmusChecker(MemoryModel.PTX_7_5, 1000, 1).check(LitmusParser.parse(text));
    assertThat(shallow.termination()).isEqualTo(Termination.UNKNOWN);
    assertThat(shallow.answer()).isEqualTo(Answer.UNDECIDED);
    assertThat(shallow.bounds())
        .containsExactly("loops unrolled 1 times, more rounds may end otherwise");
    LitmusVerdict deep =
        new LitmusChecker(MemoryModel.PTX_7_5, 1000, 4).check(LitmusParser.parse(text));
    assertThat(deep.answer()).isEqualTo(Answer.ALLOWED);
    assertThat(deep.termination()).isEqualTo(Termination.ALWAYS);
    assertThat(deep.bounds()).isEmpty();
  }

  /** Four rounds, independent of the bound, since no read decides their number. */
  @Test
  void aLoopWithoutReadsIsUnrolledCompletely() {
    String text =
        """
        PTX counted
        { x=0; }
        P0@cta 0,gpu 0       | P1@cta 0,gpu 1       ;
        A:                   | ld.relaxed.sys r1, x ;
        add r0, r0, 1        |                      ;
        ld.relaxed.sys r2, x |                      ;
        beq r2, 9, B         |                      ;
        B:                   |                      ;
        st.relaxed.sys x, r0 |                      ;
        blt r0, 4, A         |                      ;
        """;
    for (int unroll : new int[] {0, 2}) {
      LitmusChecker checker = new LitmusChecker(MemoryModel.PTX_7_5, 1_000_000, unroll);
      LitmusVerdict last = checker.check(LitmusParser.parse(text + "exists (P1:r1 == 4)"));
      assertThat(last.answer()).isEqualTo(Answer.ALLOWED);
      assertThat(last.bounds()).isEmpty();
      assertThat(last.crossCheck().result()).isEqualTo(CrossCheck.Result.AGREES);
      LitmusVerdict never = checker.check(LitmusParser.parse(text + "~exists (P1:r1 == 5)"));
      assertThat(never.answer()).isEqualTo(Answer.FORBIDDEN);
      LitmusVerdict all = checker.check(LitmusParser.parse(text + "forall (P1:r1 == 9)"));
      assertThat(all.answer()).isEqualTo(Answer.NOT_ALWAYS);
    }
  }

  /** With a counter in memory no thread ends within two more rounds; within six some do. */
  @Test
  void aBoundThatMayMatterLeavesTheAnswerOpen() {
    String text = alike(2, "A:", "atom.relaxed.gpu.add r0, x, 1", "blt r0, 5, A");
    for (String condition : new String[] {"exists (x == 7)", "~exists (x == 7)", "forall (x==9)"}) {
      assertThat(check(text + condition).answer()).as(condition).isEqualTo(Answer.UNDECIDED);
    }
    LitmusChecker deep = new LitmusChecker(MemoryModel.PTX_7_5, 1_000_000, 6);
    LitmusVerdict verdict = deep.check(LitmusParser.parse(text + "exists (x == 7)"));
    assertThat(verdict.answer()).isEqualTo(Answer.ALLOWED);
  }

  /** The first two rounds end in the same state, and so might all; the sixth does not. */
  @Test
  void equalStatesOfRoundsDoNotDecideLaterRounds() {
    String text =
        """
        PTX late
        { x=0; y=0; z=0; }
        P0@cta 0,gpu 0                | P1@cta 0,gpu 1       ;
        A:                            | st.relaxed.sys y, 1  ;
        atom.relaxed.sys.add r0, x, 1 |                      ;
        ld.relaxed.sys r1, y          |                      ;
        bne r1, 1, A                  |                      ;
        blt r0, 5, B                  |                      ;
        st.relaxed.sys z, 1           |                      ;
        B:                            |                      ;
        """;
    for (String condition : new String[] {"exists (z == 1)", "~exists (z == 1)", "forall (z==0)"}) {
      assertThat(check(text + condition).answer()).as(condition).isEqualTo(Answer.UNDECIDED);
    }
    assertThat(check(text + "exists (z == 0)").answer()).isEqualTo(Answer.ALLOWED);
    LitmusChecker deep = new LitmusChecker(MemoryModel.PTX_7_5, 1_000_000, 6);
    assertThat(deep.check(LitmusParser.parse(text + "exists (z == 1)")).answer())
        .isEqualTo(Answer.ALLOWED);
  }

  /** Within the bound the other thread never leaves; beyond it, it does. */
  @Test
  void aWaitForARoundBeyondTheBoundIsUndecided() {
    String text =
        """
        PTX waiting
        { x=0; y=0; }
        P0@cta 0,gpu 0                | P1@cta 0,gpu 1       ;
        A:                            | ld.relaxed.sys r1, y ;
        atom.relaxed.sys.add r0, x, 1 | beq r1, 1, B         ;
        blt r0, 5, A                  | C:                   ;
        st.relaxed.sys y, 1           | goto C               ;
                                      | B:                   ;
        exists (P1:r1 == 1)
        """;
    assertThat(check(text).answer()).isEqualTo(Answer.UNDECIDED);
  }

  private static final String LOCKED =
      alike(
              2,
              "A:",
              "atom.acquire.gpu.exch r0, y, 1",
              "bne r0, 0, A",
              "ld.weak r1, x",
              "add r1, r1, 1",
              "st.weak x, r1",
              "st.release.gpu y, 0")
          + "forall (x == 2)";

  /** A lock may be tried for any number of rounds, which do not change it. */
  @Test
  void failedTriesOfALockAreNoBound() {
    for (String text : new String[] {LOCKED, LOCKED.replace("exch r0, y, 1", "cas r0, y, 0, 1")}) {
      assertThat(check(text).answer()).isEqualTo(Answer.ALWAYS);
      assertThat(check(text).bounds()).isEmpty();
      assertThat(check(text).crossCheck().result()).isEqualTo(CrossCheck.Result.AGREES);
    }
  }

  /**
   * Failed tries are no bound either with three threads and a cas, in any form of its comparison.
   */
  @Test
  void failedTriesByCasAreNoBound() {
    String cas = "atom.acquire.gpu.cas r0, y, 0, 1";
    String[] rest = {"ld.weak r1, x", "add r1, r1, 1", "st.weak x, r1", "st.release.gpu y, 0"};
    String critical = String.join(" ; ", rest);
    for (String again :
        new String[] {
          "bne r0, 0, A", "setp.ne p, 0, r0 ; @p bra A", "setp.eq p, r0, 0 ; @!p bra A"
        }) {
      String[] code = ("A: ; " + cas + " ; " + again + " ; " + critical).split(" ; ");
      LitmusVerdict verdict = check(alike(3, code) + "forall (x == 3)");
      assertThat(verdict.answer()).as(again).isEqualTo(Answer.ALWAYS);
      assertThat(verdict.bounds()).as(again).isEmpty();
    }
    String relaxed = alike(3, "A:", cas, "bne r0, 0, A", rest[0], rest[1], rest[2], rest[3]);
    assertThat(check(relaxed.replace("st.release", "st.relaxed") + "forall (x == 3)").answer())
        .isEqualTo(Answer.NOT_ALWAYS);
  }

  /**
   * Tries may matter if they change the lock, or are not morally strong with the releasing store.
   */
  @Test
  void triesThatMayMatterAreABound() {
    for (String text :
        new String[] {
          LOCKED.replace("exch r0", "add r0"),
          LOCKED.replace("st.release.gpu y, 0", "st.weak y, 0"),
          LOCKED.replace("st.release.gpu y, 0", "st.release.cta y, 0")
        }) {
      LitmusVerdict verdict = check(text.replace("forall (x == 2)", "exists (x == 9)"));
      assertThat(verdict.answer()).isEqualTo(Answer.UNDECIDED);
      assertThat(verdict.bounds())
          .containsExactly("loops unrolled 2 times, more rounds may end otherwise");
    }
  }

  /**
   * A value that a try stores may reach the memory that it reads, so without the try the value
   * would have no source. If writes of a lock depend on other memory, only the executed rounds are
   * decided.
   */
  @Test
  void aTryThatCausesItsOwnValueIsABound() {
    String text =
        """
        PTX made
        { x=0; y=0; }
        P0@cta 0,gpu 0                 | P1@cta 0,gpu 1       | P2@cta 1,gpu 1       ;
        A:                             | ld.relaxed.sys r1, x | ld.relaxed.sys r1, y ;
        atom.relaxed.sys.exch r0, x, 1 | st.relaxed.sys y, r1 | st.relaxed.sys x, r1 ;
        bne r0, 0, A                   |                      |                      ;
        exists (x == 9)
        """;
    assertThat(check(text).answer()).isEqualTo(Answer.UNDECIDED);
    assertThat(check(text.replace("st.relaxed.sys x, r1", "st.relaxed.sys x, 1")).answer())
        .isEqualTo(Answer.FORBIDDEN);
  }

  /** A read decides whether the leaving branch is reached, so these rounds are bounded. */
  @Test
  void allBranchesBoundALoopClosedByAJump() {
    String text =
        """
        PTX middle
        { x=0; }
        P0@cta 0,gpu 0                 ;
        A:                             ;
        atom.relaxed.gpu.exch r0, x, 1 ;
        bne r0, 0, B                   ;
        goto C                         ;
        B:                             ;
        atom.relaxed.gpu.exch r1, x, 1 ;
        bne r1, 0, D                   ;
        C:                             ;
        goto A                         ;
        D:                             ;
        exists (x == 1)
        """;
    assertThat(check(text).answer()).isEqualTo(Answer.ALLOWED);
    assertThat(check(text).bounds()).isEmpty();
    assertThat(check(text).crossCheck().result()).isEqualTo(CrossCheck.Result.AGREES);
  }

  /** A loop without decisions ends no execution, and leaves no answer undecided. */
  @Test
  void anEndlessLoopIsNoBound() {
    for (String line : new String[] {"st.weak x, 1", "mov r1, 2", "add r1, r1, 0"}) {
      LitmusVerdict verdict = check(alike(1, "A:", line, "goto A") + "exists (x == 1)");
      assertThat(verdict.answer()).as(line).isEqualTo(Answer.FORBIDDEN);
      assertThat(verdict.termination()).as(line).isEqualTo(Termination.NEVER_FINISHES);
    }
    for (String line : new String[] {"add r1, r1, 1", "add r1, r1, 1 ;\n st.weak x, r1"}) {
      LitmusVerdict verdict = check(alike(1, "A:", line, "bne r1, -1, A") + "exists (x == 1)");
      assertThat(verdict.answer()).as(line).isEqualTo(Answer.UNDECIDED);
      assertThat(verdict.bounds()).as(line).contains("left out long paths of thread P0");
    }
  }

  private static final String SWAPPING =
      """
      PTX swapping
      { x=0; }
      P0@cta 0,gpu 0                 | P1@cta 0,gpu 0                 ;
      A:                             | B:                             ;
      atom.relaxed.gpu.exch r0, x, 1 | atom.relaxed.gpu.exch r0, x, 0 ;
      bne r0, 1, A                   | beq r0, 1, B                   ;
      exists (x == 1)
      """;

  /**
   * Each thread leaves when it reads its own value, or the other's. If they alternate, neither has
   * to.
   */
  @Test
  void twoAlternatingThreadsMayNeverFinish() {
    assertThat(check(SWAPPING).termination()).isEqualTo(Termination.NEVER_FINISHES);
    assertThat(check(SWAPPING).answer()).isEqualTo(Answer.ALLOWED);
    assertThat(check(SWAPPING.replace("beq r0, 1, B", "")).termination())
        .isNotEqualTo(Termination.NEVER_FINISHES);
  }

  /**
   * Three nested loops with too many paths: the shortest are searched, and the bound names the
   * rest, in every column.
   */
  @Test
  void tooManyPathsLeaveOutTheLongest() {
    String winding =
        """
        A:                             ;
        atom.relaxed.gpu.exch r0, x, 1 ;
        bne r0, 1, B                ;
        goto C                         ;
        B:                             ;
        atom.relaxed.gpu.exch r1, x, 0 ;
        bne r1, 1, C                ;
        goto A                         ;
        C:                             ;
        atom.relaxed.gpu.exch r2, x, 0 ;
        bne r2, 1, D                   ;
        goto B                         ;
        D:                             ;
        """;
    String[] other = {"E:", "atom.relaxed.gpu.exch r0, x, 1", "beq r0, 0, E"};
    LitmusChecker small = new LitmusChecker(MemoryModel.PTX_7_5, 100_000, 2);
    for (int left = 0; left < 2; left++) {
      StringBuilder text = new StringBuilder("PTX winding\n{}\nP0@cta 0|P1@cta 0;\n");
      List<String> lines = winding.lines().toList();
      for (int i = 0; i < lines.size(); i++) {
        String mine = lines.get(i).replace(";", "");
        String theirs = i < other.length ? other[i] : "";
        text.append(left == 0 ? mine + "|" + theirs : theirs + "|" + mine).append(";\n");
      }
      LitmusVerdict verdict =
          small.check(LitmusParser.parse(text.append("exists true").toString()));
      assertThat(verdict.bounds()).contains("left out long paths of thread P" + left);
      assertThat(verdict.answer()).isEqualTo(Answer.ALLOWED);
      assertThat(verdict.termination()).isIn(Termination.NEVER_FINISHES, Termination.UNKNOWN);
    }
  }

  /** So many paths that not even the postponed ones would fit in memory. */
  @Test
  void manyBranchesRespectTheMemoryLimit() {
    StringBuilder text = new StringBuilder("PTX row\n{}\nP0@cta 0 ;\n");
    for (int i = 0; i < 28; i++) {
      text.append(
          "ld.weak r%1$d, x ;\nbeq r%1$d, 0, L%1$d ;\nadd s, s, %2$d ;\nL%1$d: ;\n"
              .formatted(i, 1 << i));
    }
    LitmusVerdict verdict = check(text.append("exists (P0:s == 0)").toString());
    assertThat(verdict.bounds()).contains("left out long paths of thread P0");
    assertThat(verdict.answer()).isEqualTo(Answer.UNDECIDED);
  }

  /** A thread that only waits for its turn does not wait for ever. */
  @Test
  void aReleasedLockIsNoFairCycle() {
    String lock =
        """
        PTX lock
        { x=0; }
        P0@cta 0,gpu 0                    | P1@cta 0,gpu 0                    ;
        A:                                | A:                                ;
        atom.acquire.gpu.exch r0, x, 1    | atom.acquire.gpu.exch r0, x, 1    ;
        bne r0, 0, A                      | bne r0, 0, A                      ;
        atom.release.gpu.exch r1, x, 0    | atom.release.gpu.exch r1, x, 0    ;
        exists (x == 0)
        """;
    assertThat(check(lock).termination()).isNotEqualTo(Termination.NEVER_FINISHES);
    assertThat(FairCycle.exists(LitmusParser.parse(lock))).isFalse();
    assertThat(FairCycle.exists(LitmusParser.parse(lock.replace("x, 0  ", "x, 1  ")))).isTrue();
  }

  @Test
  void aCountingLoopHasNoCycleWithinItsBound() {
    String text =
        alike(2, "A:", "atom.relaxed.gpu.add r0, x, 1", "bne r0, -1, A") + "exists (y == 0)";
    assertThat(FairCycle.exists(LitmusParser.parse(text))).isFalse();
  }

  @Test
  void boundsAndModelsAreChecked() {
    assertThatThrownBy(() -> new LitmusChecker(MemoryModel.PTX_7_5, 0, 2))
        .hasMessageContaining("budget=0");
    assertThatThrownBy(() -> MemoryModel.parse("ptx-9"))
        .hasMessage("unknown memory model: name=ptx-9; choose ptx-6.0, ptx-7.5 or ptx-isa");
    assertThat(MemoryModel.parse("ptx-isa")).isEqualTo(MemoryModel.PTX_ISA);
  }
}
