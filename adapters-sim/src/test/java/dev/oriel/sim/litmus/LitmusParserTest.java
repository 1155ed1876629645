package dev.oriel.sim.litmus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.sim.litmus.answer.LitmusVerdict;
import dev.oriel.sim.litmus.answer.LitmusVerdict.Answer;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.test.Quantifier;
import dev.oriel.sim.litmus.text.LitmusException;
import dev.oriel.sim.litmus.text.LitmusParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LitmusParserTest {
  private static final String HEADER =
      """
      PTX spoken of: a name, with exists in it
      "a remark that says exists (and
      forall) over two lines" (* and { this *)
      """;

  private static Answer decide(String text) {
    return new LitmusChecker(MemoryModel.PTX_7_5).check(LitmusParser.parse(text)).answer();
  }

  /** The verdict on one thread that runs those instructions. */
  private static Answer alone(String init, String instructions, String condition) {
    return decide(
        HEADER
            + "{"
            + init
            + "}\nP0@cta 0,gpu 0 ;\n"
            + instructions.replace(";", ";\n")
            + "\n"
            + condition);
  }

  @Test
  void keepsTheHeadersName() {
    LitmusTest test = LitmusParser.parse(HEADER + "{}\nP0@cta 0,gpu 0;\n\nexists true");
    assertThat(test.name()).isEqualTo("spoken of: a name, with exists in it");
    assertThat(test.quantifier()).isEqualTo(Quantifier.EXISTS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mov r1, 5",
        "ld r1, 5",
        "ld r2, 5; ld r1, r2",
        "mov r2, 5; mov r1, r2",
        "add r1, 2, 3",
        "sub r1, 7, 2",
        "sub r1, -1, -6",
        "mul r1, 5, 1",
        "and r1, 13, 7",
        "or r1, 4, 1",
        "xor r1, 6, 3",
        "min r1, 5, 0x7",
        "max r1, 5, 3",
        "st x, 5; ld r1, x",
        "st.weak [x], 5; ld.weak r1, [x]",
        "st.relaxed.cta x, 5; ld.relaxed.gpu r1, x",
        "st.release.sys x, 5; ld.acquire.cluster r1, x",
        "st.volatile x, 5; ld.volatile r1, x",
        "mov r7, 5; st.weak never_declared, r7; ld.weak r1, never_declared",
        "atom.relaxed.gpu.exch r0, x, 5; ld.weak r1, x",
        "atom.exch r0, x, 5; atom.add r1, x, 2",
        "atom.acquire.cta.add r0, x, 5; atom.release.sys.sub r1, x, 2",
        "st.weak x, 9; atom.acq_rel.gpu.cas r0, x, 9, 5; ld.weak r1, x",
        "st.weak x, 5; atom.acq_rel.gpu.cas r0, x, 9, 6; ld.weak r1, x",
        "red.relaxed.gpu.add x, 5; ld.weak r1, x",
        "red.or x, 4; red.xor x, 1; red.and x, 7; red.min x, 6; red.max x, 2; ld.weak r1, x",
        "mov r1, 5; fence.sc; fence.sc.gpu; fence.acq_rel.cta; fence.acquire.sys; fence.release.gpu",
        "mov r1, 5; membar.cta; membar.gl; membar.sys",
        "mov r1, 5; bar.cta.sync 1; bar.cta.sync 2, r1; bar.cta.arrive 3, 0, 2; bar.cta.sync 4, 4, 1",
        "sust.weak s, 5; suld.weak r1, s",
        "mov r1, 5; tld.weak r2, t; cold.weak r3, x; fence.proxy.alias; fence.proxy.surface",
        "mov r1, 5; fence.proxy.texture; fence.proxy.constant",
        "mov r1, 5; goto OUT; mov r1, 6; OUT:",
        "L: add r1, r1, 1; bne r1, 5, L",
        "L: M: add r1, r1, 1; blt r1, 5, M",
        "L: add r1, r1, 1; ble r1, 4, L",
        "mov r1, 5; beq r1, 5, E; mov r1, 0; E:",
        "mov r1, 5; bgt r1, 4, E; mov r1, 0; E:",
        "mov r1, 5; bge r1, r1, E; mov r1, 0; E:",
        "mov %r9, 5; mov r1, %r9",
        "mov value, 5; mov r1, value",
        "mov r1, start",
        "st.weak.global.u32 [x], 5; ld.relaxed.gpu.global.u32 r1, [x]",
        "st.sys.release.b64 [x], 5; ld.cta.acquire.s64 r1, x",
        "atom.gpu.acq_rel.global.exch.b32 r0, [x], 5; atom.add.relaxed.sys.u32 r1, [x], 1",
        "st.weak [a], 5; ld.weak r1, [x]",
        "st.weak x, 4; atom.inc r0, x, 9; ld.weak r1, x",
        "atom.dec r0, x, 5; ld.weak r1, x",
        "st.weak x, 6; red.dec.u32 x, 9; atom.exch.u32 r1, x, 0",
        "st.weak x, 7; atom.inc r0, x, 7; ld.weak r2, x; add r1, r2, 5",
        "mov.u32 r1, 5; fence.gpu; fence.sys; fence.gpu.sc; fence.cluster.acq_rel",
        "mov r1, 5; bar.sync 0; barrier.sync 1; barrier.cta.sync 2; barrier.cta.sync.aligned 3",
        "setp.eq.s32 p, x0, 0; @p mov r1, 5; @!p mov r1, 6",
        "mov.u32 r0, 0; sub.u32 r0, r0, 1; setp.gt.u32 p, r0, 3; @p mov.u32 r1, 5",
        "mov.u32 r0, 0; sub.u32 r0, r0, 1; min.u32 r1, r0, 5",
        "mov.u64 r0, 0; sub.u64 r0, r0, 1; st.weak.u64 x, 5; red.min.u64 x, r0; ld.u64 r1, x",
        "st.weak.s32 x, 2147483647; red.add.s32 x, 1; ld.s32 r2, x; setp.lt.s32 p, r2, 0; @p mov r1, 5",
        "setp.eq.s32 p, 1, 1; mov r1, 5; @p bra A; mov r1, 6; A: bra.uni B; mov r1, 7; B:",
        "st.weak [x+0], 5; ld.weak r1, [x-0]",
        "mov r1, 5; setp.lt p, 2, 1; @p mov r1, 6; @ p st.weak x, 1",
        "mov r1, 5; beq r1, 5, E; mov r1, 6; E: ret; mov r1, 7; ret",
        "mov r1, 5; setp.eq p, r1, 5; @p exit; mov r1, 6",
        "st.cg.s32 [x], 5; ld.cg.s32 r2, [x]; ld.global.ca.s32 r1, [x]",
        "st.wt x, 5; st.global.cs y, 1; ld.lu r2, x; ld.weak.cv r1, x",
        "st.release.gpu.global.L1::evict_last.u32 [x], 5; ld.relaxed.gpu.L2::128B.u32 r1, [x]",
        "ld.L1::no_allocate.L2::256B.u32 r2, [x]; mov.u32 r1, 5",
        "st.weak.shared.u32 [x], 5; ld.shared::cta.u32 r1, [x]",
        "mov r1, 5; membar.proxy.alias; membar.proxy.surface",
        "setp.hi.u32 p, -1, 3; @p mov.u32 r1, 5; setp.lo.u32 p, -1, 3; @p mov.u32 r1, 6",
        "setp.ls.u32 p, 3, 3; @p mov.u32 r1, 5; setp.hs.u32 p, 3, 4; @p mov.u32 r1, 6",
        "mov.u64 r2, 18446744073709551615; setp.gt.u64 p, r2, 1; @p mov.u64 r1, 0b101",
        "mov.u32 r2, 0XFFFFFFFFU; add.u32 r1, r2, 6U",
        "mov.u32 r2, 0x80000001; mul.lo.u32 r2, r2, 2; add r1, r2, 3",
        "/* a remark */ mov r1, 5 (* of (* any *) kind *)",
        "setp.ge %p1, 2, 2; @%p1 bne r1, 5, A; goto B; A: mov r1, 5; B:",
        "mov.u64 p, x; st.weak.u32 [p], 5; cvta.to.global.u64 q, p; ld.weak.u32 r1, [q]",
        "mov.b64 q, a; st.weak.u32 [q], 5; mov.u64 q, x; ld.weak.u32 r1, [q+0]",
        "xor r2, r3, r3; add q, r2, a; st.weak [q], 5; add q, q, 0; atom.add r1, [q], 1",
        "sub r2, r3, r3; add a, a, r2; red.add [a], 5; mov q, a; ld.weak r1, [q]",
        "and.b32 r2, start, 8; cvt.u64.u32 w2, r2; add.u64 a, a, w2; st.u32 [a], 5; ld.u32 r1, x",
        "red.add x, 1; red.add x, 1; ld r2, x; and r2, r2, 64; add a, a, r2; st [a], 5; ld r1, x",
        "L: ld r2, y; and r2, r2, 64; add a, a, r2; bne r2, 0, L; st [a], 5; ld r1, x",
        "add b, b, 0; mov b, x; st.weak x, 4; atom.cas r0, [b], 4, 5; ld.weak r1, [b]",
        "cvt.s32.u32 r1, 5; nanosleep.u32 100; nanosleep.u32 r1",
        "not.b32 r2, -6; neg.s32 r3, r2; neg.s32 r1, r3",
        "shl.b32 r2, 5, 2; shl.b32 r3, r2, 32; sub r1, r2, 15; add r1, r1, r3",
        "shl r2, 1, 40; shl r3, r2, 64; setp.gt p, r2, r3; @p mov r1, 5",
        "mov.u32 r2, 2; mad.lo.u32 r1, r2, r2, 1",
        "setp.lt.s32 p, 1, 2; selp.b32 r2, 5, 9, p; setp.lt.s32 p, 2, 1; selp.b32 r1, 9, r2, p"
      })
  void runsEveryInstruction(String instructions) {
    assertThat(
            alone(
                "int x = 0; uint64_t [w]=0; P0:start=5; int 0:x0=0; 0:a=x; P0:b=&x;"
                    + " s @ surface aliases x; t @ texture x alias;",
                instructions,
                "forall (P0:r1 == 5)"))
        .isEqualTo(Answer.ALWAYS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '`',
      textBlock =
          """
          exists (P0:r1 == 5)                              ¦ ALLOWED
          exists (P0:r1 = 5)                               ¦ ALLOWED
          exists P0:r1 == 5                                ¦ ALLOWED
          exists (0:r1 = 5)                                ¦ ALLOWED
          exists (P0: r1 = 5)                              ¦ ALLOWED
          exists (5 == P0:r1)                              ¦ ALLOWED
          exists (x == 3 /\\ P0:r1 == 5)                   ¦ ALLOWED
          exists ([x] == 3 /\\ P0:r1 > x)                  ¦ ALLOWED
          exists (x == 4 /\\ P0:r1 == 5)                   ¦ FORBIDDEN
          exists (x == 4 \\/ P0:r1 == 5)                   ¦ ALLOWED
          exists (x == 4 /\\ x == 4 \\/ P0:r1 == 5)        ¦ ALLOWED
          exists (x == 4 /\\ (x == 4 \\/ P0:r1 == 5))      ¦ FORBIDDEN
          exists not (x == 3)                              ¦ FORBIDDEN
          exists (not x == 4 /\\ ~(x == 4) /\\ x != 4)     ¦ ALLOWED
          exists (P0:r1 == P0:r2)                          ¦ FORBIDDEN
          exists (P0:r3 == P0:r2 /\\ nowhere == 0)         ¦ ALLOWED
          exists 0==0                                      ¦ ALLOWED
          exists true                                      ¦ ALLOWED
          exists false                                     ¦ FORBIDDEN
          exists (x < 4 /\\ x <= 3 /\\ x > 2 /\\ x >= 3)   ¦ ALLOWED
          exists (x == -3)                                 ¦ FORBIDDEN
          ~exists (x == 3)                                 ¦ ALLOWED
          ~ exists (x == 4)                                ¦ FORBIDDEN
          forall (x == 3)                                  ¦ ALWAYS
          forall (x == 4)                                  ¦ NOT_ALWAYS
          exists (x == 4 => P0:r1 == 6)                    ¦ ALLOWED
          exists (x == 3 => P0:r1 == 6)                    ¦ FORBIDDEN
          exists (x == 3 => x == 4 => P0:r1 == 6)          ¦ ALLOWED
          exists ((x == 3 => x == 4) => P0:r1 == 6)        ¦ ALLOWED
          forall (x == 4 \\/ x == 3 => P0:r1 == 5)         ¦ ALWAYS
          forall (x == 4 /\\ x == 3 => P0:r1 == 5)         ¦ NOT_ALWAYS
          forall ((x == 4 /\\ x == 3) => P0:r1 == 5)       ¦ ALWAYS
          forall (~x == 4 => P0:r1 == 6)                   ¦ NOT_ALWAYS
          exists (x == 3);                                 ¦ ALLOWED
          (x == 3 /\\ P0:r1 == 5)                          ¦ ALLOWED
          (x == 4)                                         ¦ FORBIDDEN
          final (x == 3)                                   ¦ ALLOWED
          final (x == 4);                                  ¦ FORBIDDEN
          locations [x; P0:r1]                             ¦ ALWAYS
          locations [x int; x int*; x*; P0:r1 long;]       ¦ ALWAYS
          filter (x == 3); exists (P0:r1 == 5)             ¦ ALLOWED
          """)
  void parsesConditions(String condition, Answer answer) {
    assertThat(alone("x=0", "mov r1, 5; st.weak x, 3;", condition)).isEqualTo(answer);
  }

  @Test
  void executionsOutsideTheFilterDoNotCount() {
    String text =
        """
        PTX filtered
        { x = 0 }
        P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
        st.weak x, 1   | ld.weak r1, x  ;
        filter (P1:r1 == 1)
        forall (P1:r1 == 1)
        """;
    assertThat(decide(text)).isEqualTo(Answer.ALWAYS);
    assertThat(decide(text.replace("filter (P1:r1 == 1)\n", ""))).isEqualTo(Answer.NOT_ALWAYS);
  }

  @Test
  void listedLocationsAddToTheStates() {
    String text =
        """
        PTX listed
        { x; }
        P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
        st.weak x, 1   | ld.weak r1, x  ;
        locations [x; P1:r1;]
        exists (x == 1)
        """;
    LitmusVerdict verdict = new LitmusChecker(MemoryModel.PTX_7_5).check(LitmusParser.parse(text));
    assertThat(verdict.states()).isEqualTo(2);
  }

  @Test
  void cellsMayBeEmptyAndTheLastRowUnclosed() {
    assertThat(
            decide(
                """
                PTX ragged
                { x=0; y=0; }
                 P0@cta 0, gpu 0  | P1@cta 1,gpu 0   \t ;
                                  |                    ;
                 LC00:            | ld.weak r1, x      ;
                 st.weak x, 1     |
                exists (P1:r1 == 1)
                """))
        .isEqualTo(Answer.ALLOWED);
  }

  @Test
  void remarksBeforeTheInitialValuesNeedNoQuotes() {
    assertThat(
            decide(
                "PTX remarked\nAuthor: x | y ;\n\"says \"exists\" (twice)\"\n  {\n}\n"
                    + "P0@cta 0,gpu 0 ;\nexists true"))
        .isEqualTo(Answer.ALLOWED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "scopes: (sys (gpu (cta P0 P1)))",
        "ScopeTree (gpu 0 (cta 0 P0, P1))",
        "scopes: (gpu (cluster (cta P0 P1)))",
        "scopeTree (gpu (cta (warp P0) (warp P1)))",
        "ScopeTree(grid(cta(warp T0) (warp T1)))\nx: shared, f:global",
        "scopetree\n(device(kernel(cta (warp P0) (warp P1))))\n\nf: shared; x: shared;\n"
      })
  void treesOfScopesPlaceThreads(String tree) {
    String text =
        """
        PTX tree
        { x=0; f=0; }
        P0               | P1                  ;
        st.weak x, 1     | ld.acquire.cta r1, f ;
        st.release.cta f, 1 | ld.weak r2, x     ;
        %s
        exists (P1:r1 == 1 /\\ P1:r2 == 0)
        """;
    assertThat(decide(text.formatted(tree))).isEqualTo(Answer.FORBIDDEN);
    assertThat(decide(text.formatted("scopes: (gpu (cta P0) (cta P1))"))).isEqualTo(Answer.ALLOWED);
  }

  /** A value of 32 bits is the same with and without a sign. */
  @Test
  void valuesWrapAtTheirWidth() {
    String less = "mov.u32 r0, 0; sub.u32 r1, r0, 1";
    assertThat(alone("x=0", less, "forall (P0:r1 == 4294967295 /\\ P0:r1 == -1)"))
        .isEqualTo(Answer.ALWAYS);
    assertThat(alone("x=0", less.replace("32", "64"), "exists (P0:r1 == 4294967295)"))
        .isEqualTo(Answer.FORBIDDEN);
    String more = "st.weak.u32 x, 2147483647; red.inc.u32 x, 2147483647";
    assertThat(alone("x=0", more, "forall (x == 0)")).isEqualTo(Answer.ALWAYS);
  }

  @Test
  void unknownInstructionsAreCountedByName() {
    LitmusTest test =
        LitmusParser.parse(
            """
            PTX strange
            { x=0; }
            P0@cta 0,gpu 0        | P1@cta 0,gpu 0  ;
            cp.async.bulk x, y, 4 | st.async x, 1 ;
            ld.relaxed r1, x      | cp.async.bulk x, y, 4 ;
            fence.proxy.async     | ld.weak r1, r2 ;
            exists (P0:r1 == 1)
            """);
    assertThat(test.unsupported())
        .hasToString(
            "{address in a register=1, cp.async.bulk=2, fence.proxy.async=1, ld.relaxed=1,"
                + " st.async=1}");
    LitmusVerdict verdict = new LitmusChecker(MemoryModel.PTX_7_5).check(test);
    assertThat(verdict.answer()).isEqualTo(Answer.UNSUPPORTED);
    assertThat(verdict.unsupported()).isEqualTo(test.unsupported());
  }

  /** Ambiguous or unsupported parts are named, but are no error. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '`',
      textBlock =
          """
          x=0; y=x;   ¦ st.weak y, 1                            ¦ location that holds a location=1
          x=0; y=&x;  ¦ st.weak y, 1                            ¦ location that holds a location=1
          x=0;        ¦ mov.u64 r1, x                           ¦ address as a value=1
          P0:a=x;     ¦ mov r1, a                               ¦ address as a value=1
          P0:a=x;     ¦ add a, a, 8                             ¦ address with an offset=1
          P0:a=x;     ¦ ld r2, x; add a, a, r2; st [a], 1       ¦ address with an offset=1
          P0:a=x;     ¦ red.add x, 8; ld r2, x; and r2, r2, 8; add a, a, r2; ld r1, [a] ¦ address with an offset=1
          P0:a=x;     ¦ L: red.add y, 1; ld r2, y; and r2, r2, 64; add a, a, r2; bne r2, 9, L ¦ address with an offset=1
          P0:a=x;     ¦ L: ld r1, [a]; xor r2, r1, r1; add a, a, r2; beq r1, 0, L ¦ address as a value=1
          P0:a=x; P0:b=x; ¦ add a, a, b                         ¦ address as a value=1
          x=0; y=0;   ¦ mov a, x; mov a, y; st [a], 1           ¦ address in a register=1
          x=0;        ¦ @p mov a, x; st [a], 1                  ¦ address in a register=1
          x=0;        ¦ ld.u32 r1, x; cvt.u64.u32 r2, r1; st.u32 x, r2 ¦ types of different widths=1
          x=0;        ¦ cvt.u64.u32 r1, 5                       ¦ types of different widths=1
          x=0;        ¦ cvt.u32.u64 r1, r2                      ¦ cvt.u32.u64=1
          x=0;        ¦ cvt.rn.f32.s32 r1, r2                   ¦ cvt.rn.f32.s32=1
          x=0;        ¦ cvta.to.local.u64 r1, x                 ¦ cvta.to.local.u64=1
          x=0;        ¦ shl.b32 r1, r2, r3                      ¦ shl.b32=1
          x=0;        ¦ mad.wide.u32 r1, r2, r3, r4             ¦ mad.wide.u32=1
          x=0;        ¦ mov.pred p, 1                           ¦ mov.pred=1
          x=0;        ¦ add.f32 r1, r2, 1.5                     ¦ add.f32=1
          P0:a=x;     ¦ ld r2, x; beq r2, 0, A; mov r3, 8; A: add a, a, r3; st [a], 1 ¦ address with an offset=1
          P0:a=x;     ¦ ld.weak a, [a]                          ¦ address as a value=1
          x=0;        ¦ st.weak.u32 x, 1; ld.weak.u64 r1, x     ¦ types of different widths=1
          x=0;        ¦ st.weak.u32 x, 0x100000000              ¦ value 4294967296 of 32 bits=1
          x=0;        ¦ st.weak.s32 x, -2147483649              ¦ value -2147483649 of 32 bits=1
          x=0;        ¦ st.weak.u8 x, 1                         ¦ st.weak.u8=1
          x=0;        ¦ st.weak.local.u32 x, 1                  ¦ st.weak.local.u32=1
          x=0;        ¦ ld.relaxed.gpu.cg r1, x                 ¦ ld.relaxed.gpu.cg=1
          x=0;        ¦ ld.volatile.cg r1, x                    ¦ ld.volatile.cg=1
          x=0;        ¦ ld.global.nc r1, x                      ¦ ld.global.nc=1
          x=0;        ¦ mov.u32 r1, 1; setp.gt.s32 p, r1, 0; bgt r1, 0, A; A: ¦ order of values with and without a sign=1
          x=0;        ¦ mov.u32 r1, 1; setp.gt.s32 p, r1, 0; red.max x, 1 ¦ order of values with and without a sign=1
          x=0;        ¦ mul.wide.u32 r1, r2, r3                 ¦ mul.wide.u32=1
          x=0;        ¦ ld.weak.v2.u32 {r1,r2}, x               ¦ ld.weak.v2.u32=1
          x=0;        ¦ ld.relaxed.sys.gpu r1, x                ¦ ld.relaxed.sys.gpu=1
          x=0;        ¦ ld.global.L2::cache_hint.u32 r1, [x], p ¦ ld.global.L2::cache_hint.u32=1
          x=0;        ¦ st.weak [x+4], 1                        ¦ address with an offset=1
          x=0;        ¦ ld.weak r1, [x-4]                       ¦ address with an offset=1
          x=0x1ffffffff; ¦ st.weak.u32 x, 1                     ¦ value 8589934591 of 32 bits=1
          P0:r2=-3000000000; ¦ st.weak.u32 x, 1                 ¦ value -3000000000 of 32 bits=1
          x=0;        ¦ ld.sc.gpu r1, x                         ¦ ld.sc.gpu=1
          x=0;        ¦ st.acquire.gpu x, 1                     ¦ st.acquire.gpu=1
          x=0;        ¦ atom.mul r1, x, 2                       ¦ atom.mul=1
          x=0;        ¦ atom.add.exch r1, x, 2                  ¦ atom.add.exch=1
          x=0;        ¦ red.async.relaxed.gpu.inc x, 2          ¦ red.async.relaxed.gpu.inc=1
          x=0;        ¦ inc r1, r1, 2                           ¦ inc=1
          x=0;        ¦ div r1, r1, 2                           ¦ div=1
          x=0;        ¦ fence.relaxed.gpu                       ¦ fence.relaxed.gpu=1
          x=0;        ¦ fence.acq_rel                           ¦ fence.acq_rel=1
          x=0;        ¦ setp.equ.f32 p, 1, 0; @p mov r1, 1      ¦ setp.equ.f32=1
          x=0;        ¦ @p cp.async.bulk x, y, 4                ¦ cp.async.bulk=1
          """)
  void unsupportedPartsAreNamed(String init, String instructions, String named) {
    LitmusTest test =
        LitmusParser.parse(
            "PTX named\n{%s}\nP0@cta 0,gpu 0 ;\n%s ;\nexists (P0:r1 == 1)"
                .formatted(init, instructions.replace(";", ";\n")));
    assertThat(test.unsupported()).hasToString("{" + named + "}");
  }

  /**
   * An address that depends on a read prevents a store from feeding that read, and nothing else.
   */
  @Test
  void addressesDependOnReads() {
    String text =
        """
        GPU_PTX LB+addrs
        {
        0:.reg .s32 r0; 0:.reg .s32 r2; 0:.reg .b64 r1 = x; 0:.reg .b64 r3 = y; 0:.reg .b64 r4;
        1:.reg .s32 r0; 1:.reg .s32 r2; 1:.reg .b64 r1 = y; 1:.reg .b64 r3 = x; 1:.reg .b64 r4;
        }
        T0                       | T1                       ;
        ld.cg.s32 r0, [r1]       | ld.cg.s32 r0, [r1]       ;
        and.b32 r2, r0, MASK     | xor.b32 r2, r0, r0       ;
        cvt.u64.u32 r4, r2       | cvt.u64.u32 r4, r2       ;
        add.u64 r3, r3, r4       | add.u64 r3, r3, r4       ;
        st.cg.s32 [r3], 1        | atom.exch.b32 r2, [r3], 1 ;
        ScopeTree(grid(cta(warp T0)) (cta(warp T1)))
        exists (0:r0=1 /\\ 1:r0=1)
        """
            .replace("MASK", "0x80000000");
    assertThat(decide(text)).isEqualTo(Answer.FORBIDDEN);
    assertThat(decide(text.replaceFirst("add.u64 [^|]*", ""))).isEqualTo(Answer.ALLOWED);
    assertThat(decide(text.replaceFirst("\\| add.u64.*;", "|;"))).isEqualTo(Answer.ALLOWED);
    String stale = text.replace("0:r0=1 /\\ 1:r0=1", "0:r0=0 /\\ 1:r0=0");
    assertThat(decide(stale)).isEqualTo(Answer.ALLOWED);
    LitmusTest beside = LitmusParser.parse(text.replace("0x80000000", "1"));
    assertThat(beside.unsupported()).hasToString("{address with an offset=1}");
  }

  /** Whether an address offset is 0 depends on stores of any thread. */
  @Test
  void anAddressOffsetMayComeFromAnotherThread() {
    String text =
        """
        PTX beside
        { x=0; y=0; 0:a=x; }
        P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
        ld.weak r1, y  | st.weak x, 1   ;
        add a, a, r1   | st.weak y, 8   ;
        st.weak [a], 2 |                ;
        exists (x == 1 /\\ P0:r1 == 0)
        """;
    assertThat(decide(text)).isEqualTo(Answer.UNSUPPORTED);
    assertThat(decide(text.replace("y, 8", "z, 8"))).isEqualTo(Answer.ALLOWED);
    assertThat(decide(text.replace("y, 8", "y, 0"))).isEqualTo(Answer.ALLOWED);
  }

  /**
   * The value of a load through such an address depends on the reads that determine the address.
   */
  @Test
  void loadsByAddressesThatDependPassOnTheDependency() {
    String text =
        """
        PTX chain
        { x=0; y=0; z=0; }
        P0@cta 0,gpu 0         | P1@cta 1,gpu 0         ;
        mov.u64 a, z           |                        ;
        ld.relaxed.gpu r0, x   | ld.relaxed.gpu r0, y   ;
        xor r1, r0, r0         | st.relaxed.gpu x, r0   ;
        add a, a, r1           |                        ;
        ld.weak r2, [a]        |                        ;
        xor r3, r2, r2         |                        ;
        add r3, r3, 1          |                        ;
        st.relaxed.gpu y, r3   |                        ;
        exists (P0:r0 == 1 /\\ P1:r0 == 1)
        """;
    assertThat(decide(text)).isEqualTo(Answer.FORBIDDEN);
    assertThat(decide(text.replaceFirst("add a.*", "|;"))).isEqualTo(Answer.ALLOWED);
  }

  /** A test by diy, with addresses in registers, has the answer of the one that names locations. */
  @Test
  void registersThatHoldAddressesNameLocations() {
    String text =
        """
        PTX MP-addresses
        { uint64_t x; int y=0; 0:r1=x; 0:r3=&y; 1:r1=y; 1:r3=x; }
        P0@cta 0,gpu 0               | P1@cta 1,gpu 0               ;
        mov.u32 r0, 1                | ld.acquire.gpu.u32 r0, [r1]  ;
        st.weak.global.u32 [r1], r0  | ld.weak.u32 r2, [r3]         ;
        st.gpu.release.u32 [r3], r0  |                              ;
        exists (1:r0=1 /\\ 1:r2=0 /\\ [x]=1)
        """;
    assertThat(decide(text)).isEqualTo(Answer.FORBIDDEN);
    assertThat(decide(text.replace("acquire", "relaxed"))).isEqualTo(Answer.ALLOWED);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '`',
      textBlock =
          """
          ``                                                   ¦ 1 ¦ 1  ¦ PTX
          AArch64 name                                         ¦ 1 ¦ 1  ¦ PTX
          PTX                                                  ¦ 1 ¦ 1  ¦ name
          PTX a@                                               ¦ 2 ¦ 1  ¦ '{'
          PTX a@{ x=                                           ¦ 2 ¦ 5  ¦ a number
          PTX a@{ x=1 y=2 }                                    ¦ 2 ¦ 7  ¦ ';'
          PTX a@{ x=1; x=2; }                                  ¦ 2 ¦ 8  ¦ once
          PTX a@{ P0:r0=1; P0:r0=1; }                          ¦ 2 ¦ 15 ¦ once
          PTX a@{ x @ wrong aliases y; }                       ¦ 2 ¦ 7  ¦ generic, surface
          PTX a@{ "open                                        ¦ 2 ¦ 3  ¦ closing
          PTX a@{ (* open (* in *)                             ¦ 2 ¦ 3  ¦ closing
          PTX a@{ /* open                                      ¦ 2 ¦ 3  ¦ closing
          PTX a@{ x=0x; }                                      ¦ 2 ¦ 5  ¦ 64 bits
          PTX a@{ x=0b2; }                                     ¦ 2 ¦ 5  ¦ 64 bits
          PTX a@{ x=-9223372036854775809; }                    ¦ 2 ¦ 6  ¦ 64 bits
          PTX a@{ x=18446744073709551616; }                    ¦ 2 ¦ 5  ¦ 64 bits
          PTX a@{ 0:.reg; }                                    ¦ 2 ¦ 5  ¦ a register
          PTX a@{}@P0 ;@scopes: (cta P0) x: local@exists true  ¦ 4 ¦ 21 ¦ global or shared
          PTX a@{}@P0 ;@scopes: (lane P0)@exists true          ¦ 4 ¦ 10 ¦ sys, gpu
          PTX a@{}@Q0@                                         ¦ 3 ¦ 1  ¦ P0
          PTX a@{}@P0§cta 0,gpu 0 | P0§cta 0,gpu 0 ;           ¦ 3 ¦ 18 ¦ once
          PTX a@{}@P0§warp 0 ;@exists true                     ¦ 3 ¦ 4  ¦ cta, cluster
          PTX a@{}@P0§gpu 0 ;@exists true                      ¦ 3 ¦ 10 ¦ cta and its number
          PTX a@{}@P0 ;@exists true                            ¦ 3 ¦ 1  ¦ scopes tree
          PTX a@{}@P0§cta 0 ;@st.weak x ;@exists true          ¦ 4 ¦ 11 ¦ ','
          PTX a@{}@P0§cta 0 ;@st.weak x, ;@exists true         ¦ 4 ¦ 12 ¦ register or a number
          PTX a@{}@P0§cta 0 ;@st.weak x, 1 2 ;@exists true     ¦ 4 ¦ 14 ¦ after the instruction
          PTX a@{}@P0§cta 0 ;@ld.weak 1, x ;@exists true       ¦ 4 ¦ 9  ¦ a register
          PTX a@{y;}@P0§cta 0 ;@st.weak x, y ;@exists true     ¦ 4 ¦ 12 ¦ not a location
          PTX a@{}@P0§cta 0 ;@goto NOWHERE ;@exists true       ¦ 4 ¦ 6  ¦ a label of this thread
          PTX a@{}@P0§cta 0 ;@A: ;@A: ;@exists true            ¦ 5 ¦ 1  ¦ each label once
          PTX a@{}@P0§cta 0 ;@mov r1, 99999999999999999999 ;   ¦ 4 ¦ 9  ¦ 64 bits
          PTX a@{}@P0§cta 0 ;@bar.cta.sync 70000 ;@exists true ¦ 4 ¦ 14 ¦ 0 to 65535
          PTX a@{}@P0§cta 0 | P1§cta 0 ;@st x, 1 ;@exists true ¦ 4 ¦ 9  ¦ each of the 2 threads
          PTX a@{}@P0§cta 0 ;@st x, 1 | st x, 2 ;@exists true  ¦ 4 ¦ 9  ¦ after cell 1
          PTX a@{}@P0§cta 0 ;@? ;                              ¦ 4 ¦ 1  ¦ a name
          PTX a@{}@P0§cta 0 ;@                                 ¦ 4 ¦ 1  ¦ exists, ~exists
          PTX a@{}@P0§cta 0 ;@exists                           ¦ 4 ¦ 7  ¦ a register such as
          PTX a@{}@P0§cta 0 ;@exists (x == 1                   ¦ 4 ¦ 15 ¦ ')'
          PTX a@{}@P0§cta 0 ;@exists (x 1)                     ¦ 4 ¦ 11 ¦ ==
          PTX a@{}@P0§cta 0 ;@exists (P7:r1 == 1)              ¦ 4 ¦ 9  ¦ a thread of the table
          PTX a@{}@P0§cta 0 ;@exists true true                 ¦ 4 ¦ 13 ¦ end of the text
          PTX a@{y @ generic aliases z; z @ generic aliases y;}@P0§cta 0 ;@exists true ¦ 2 ¦ 25 ¦ ends at memory
          """)
  void namesThePlaceOfASyntaxError(String text, int line, int column, String expectation) {
    String broken = text.replace(" @ ", " § ").replace('@', '\n').replace('§', '@');
    assertThatThrownBy(() -> LitmusParser.parse(broken))
        .isInstanceOfSatisfying(
            LitmusException.class,
            e -> {
              assertThat(e).as(broken).hasMessageContaining(expectation);
              assertThat(e.line()).as("%s", e).isEqualTo(line);
              assertThat(e.column()).as("%s", e).isEqualTo(column);
            });
  }

  @Test
  void errorsTruncateALongToken() {
    assertThatThrownBy(() -> LitmusParser.parse("PTX long\n{ x=1 " + "x".repeat(100_000)))
        .hasMessage(
            "unexpected text: line=2, column=7, found='%s...'; expected ';'", "x".repeat(40));
  }

  @Test
  void theFirstWordNamesTheDialect() {
    assertThat(LitmusParser.otherDialect("\n AArch64 name\n{}")).contains("AArch64");
    assertThat(LitmusParser.otherDialect("PTX name")).isEmpty();
    assertThat(LitmusParser.otherDialect("PTXX name")).isEmpty();
    assertThat(LitmusParser.otherDialect("")).isEmpty();
    assertThat(decide("ptx lower\n{}\nP0@cta 0,gpu 0 ;\nexists true")).isEqualTo(Answer.ALLOWED);
  }

  /** Volatile is as strong as relaxed at the widest scope: the later read is not the older. */
  @Test
  void volatileReadsOfOneWordDoNotRunBackwards() {
    String text =
        """
        PTX backwards
        { x=0; }
        P0@cta 0,gpu 0   | P1@cta 0,gpu 1    ;
        st.volatile x, 1 | ld.volatile r1, x ;
                         | ld.volatile r2, x ;
        exists (P1:r1 == 1 /\\ P1:r2 == 0)
        """;
    assertThat(decide(text)).isEqualTo(Answer.FORBIDDEN);
    assertThat(decide(text.replace("ld.volatile", "ld.weak"))).isEqualTo(Answer.ALLOWED);
  }

  @Test
  void hostileTextsAreRejected() {
    String head = "PTX deep\n{}\nP0@cta 0,gpu 0 ;\n";
    assertThatThrownBy(() -> LitmusParser.parse(head + "exists " + "(".repeat(5000)))
        .isInstanceOf(LitmusException.class)
        .hasMessageContaining("too deep");
    assertThatThrownBy(() -> LitmusParser.parse(head + "exists " + "~".repeat(5000)))
        .hasMessageContaining("too deep");
    assertThatThrownBy(
            () -> LitmusParser.parse(head + "scopes: " + "(cta ".repeat(5000) + "\nexists true"))
        .hasMessageContaining("too deep");
    assertThatThrownBy(() -> LitmusParser.parse(head + "st.weak x, 1 ;\n".repeat(5000)))
        .hasMessageContaining("too many rows");
    assertThatThrownBy(() -> LitmusParser.parse(head + "exists x=0" + " => x=0".repeat(5000)))
        .hasMessageContaining("too deep");
    assertThatThrownBy(() -> LitmusParser.parse("PTX a\n{" + "(*".repeat(400_000)))
        .hasMessageContaining("comment never ends");
    assertThatThrownBy(() -> LitmusParser.parse("PTX a\n(*" + "\n{".repeat(400_000)))
        .isInstanceOf(LitmusException.class);
    assertThatThrownBy(() -> LitmusParser.parse(" ".repeat(2_000_000)))
        .hasMessageContaining("too long");
    assertThatThrownBy(() -> LitmusParser.parse("PTX wide\n{" + "x;y;".repeat(60_000)))
        .isInstanceOf(LitmusException.class);
    StringBuilder many = new StringBuilder("PTX many\n{}\n");
    for (int t = 0; t < 100; t++) {
      many.append(t > 0 ? "|" : "").append("P").append(t).append("@cta 0");
    }
    assertThatThrownBy(() -> LitmusParser.parse(many.toString()))
        .hasMessageContaining("one too many");
  }
}
