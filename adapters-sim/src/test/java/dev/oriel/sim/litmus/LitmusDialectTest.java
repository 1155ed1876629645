package dev.oriel.sim.litmus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.sim.litmus.answer.LitmusVerdict;
import dev.oriel.sim.litmus.answer.LitmusVerdict.Answer;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.text.LitmusParser;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Notations of litmus tests of other tools: layouts, dialects, types of values. */
class LitmusDialectTest {
  private static Answer decide(String text) {
    return new LitmusChecker(MemoryModel.PTX_7_5).check(LitmusParser.parse(text)).answer();
  }

  /** The verdict on one thread that runs those instructions. */
  private static Answer alone(String init, String instructions, String condition) {
    return decide(
        "PTX alone\n{%s}\nP0@cta 0,gpu 0 ;\n%s\n%s"
            .formatted(init, instructions.replace(";", ";\n"), condition));
  }

  /**
   * A value of 32 bits may be written in any form: initially, in instructions and in the condition.
   */
  @ParameterizedTest
  @ValueSource(strings = {"4294967295", "0xffffffff", "-1", "0XFFFFFFFFu"})
  void valuesOf32BitsNeedNoSign(String top) {
    assertThat(
            alone(
                "x=%1$s; P0:r9=%1$s;".formatted(top),
                "ld.weak.u32 r1, x; atom.cas.b32 r2, x, %s, 7; mov.u32 r3, r9".formatted(top),
                "forall (P0:r1 == 4294967295 /\\ P0:r3 == P0:r1 /\\ P0:r2 == -1 /\\ x == 7)"))
        .isEqualTo(Answer.ALWAYS);
  }

  /** An operand without a type has the type of the others, or the declared one. */
  @Test
  void instructionsWithoutATypeHaveTheTypeOfTheTest() {
    String add = "ld.weak.u32 r0, x; add r1, r0, 1; mul r2, r0, 2; red.add x, 2; ld.weak r3, x";
    String wraps = "forall (P0:r1 == 0 /\\ P0:r2 == 4294967294 /\\ P0:r3 == 1 /\\ x == 1)";
    assertThat(alone("x=0xffffffff", add, wraps)).isEqualTo(Answer.ALWAYS);
    assertThat(alone("x=0xffffffff", add.replace("u32", "u64"), wraps))
        .isEqualTo(Answer.NOT_ALWAYS);
    String untyped = add.replace(".u32", "");
    for (String type : new String[] {"uint32_t x", "int x", ".global .u32 x"}) {
      assertThat(alone(type + "=-1", untyped, wraps)).as(type).isEqualTo(Answer.ALWAYS);
    }
    String declared = "x=0xffffffff; int 0:r9=0; 0:.reg .b64 a = x";
    assertThat(alone(declared, untyped, wraps)).isEqualTo(Answer.ALWAYS);
    assertThat(alone("x=0xffffffff", untyped, wraps)).isEqualTo(Answer.NOT_ALWAYS);
    assertThat(alone("int x=0xffffffff; long y", untyped, wraps)).isEqualTo(Answer.NOT_ALWAYS);
  }

  /** The types decide whether the top bit is a sign, in every comparison by size. */
  @Test
  void typesDecideWhetherAValueHasASign() {
    String code =
        "ld.weak.%s r1, x; bgt r1, 5, A; mov r2, 1; A: red.max x, 3; min r3, r1, 5; setp.lt p, r1, 5";
    String large = "forall (P0:r2 == 0 /\\ x > 5 /\\ P0:r3 == 5 /\\ P0:p == 0 /\\ 5 < P0:r1)";
    String less = "forall (P0:r2 == 1 /\\ x == 3 /\\ P0:r3 == P0:r1 /\\ P0:p == 1 /\\ P0:r1 <= 5)";
    String init = "x=0x80000000";
    assertThat(alone(init, code.formatted("u32"), large)).isEqualTo(Answer.ALWAYS);
    assertThat(alone(init, code.formatted("s32"), less)).isEqualTo(Answer.ALWAYS);
    assertThat(alone(init, code.formatted("b32"), less)).isEqualTo(Answer.ALWAYS);
    String wide = init + "00000000";
    assertThat(alone(wide, code.formatted("u64"), large)).isEqualTo(Answer.ALWAYS);
    assertThat(alone(wide, code.formatted("s64"), less)).isEqualTo(Answer.ALWAYS);
    String both = "ld.weak.u32 r1, x; setp.lt.s32 p, 1, r1";
    assertThat(alone(init, both, "exists (x == 7)")).isEqualTo(Answer.FORBIDDEN);
    assertThat(alone(init, both, "exists (x < 7)")).isEqualTo(Answer.UNSUPPORTED);
  }

  /** An access to device memory is strong for all threads, and orders nothing else. */
  @Test
  void accessesToDevicesAreRelaxed() {
    String text =
        """
        PTX device
        { x=0; y=0; }
        P0@cta 0,gpu 0                       | P1@cta 0,gpu 1                      ;
        st.weak.u32 [x], 1                   | ld.mmio.relaxed.sys.global.u32 r1, [y] ;
        fence.acq_rel.sys                    | fence.acq_rel.sys                   ;
        st.mmio.relaxed.sys.global.u32 [y], 1 | ld.weak.u32 r2, [x]                ;
        exists (P1:r1 == 1 /\\ P1:r2 == 0)
        """;
    assertThat(decide(text)).isEqualTo(Answer.FORBIDDEN);
    assertThat(decide(text.replaceAll("fence[a-z_.]*", ""))).isEqualTo(Answer.ALLOWED);
    assertThat(decide(text.replace("ld.mmio.relaxed.sys", "ld.mmio.relaxed.gpu")))
        .isEqualTo(Answer.UNSUPPORTED);
  }

  /** The older dialect: typed registers, registers with addresses, a scope tree, a memory map. */
  @Test
  void theDialectOfTypedRegistersIsParsed() {
    String text =
        """
        GPU_PTX signal
        "remark"
        {
        0:.reg .s32 r0; 0:.reg .b64 r1 = data; 0:.reg .b64 r3 = flag;
        1:.reg .s32 r0; 1:.reg .s32 r2; 1:.reg .pred p0;
        1:.reg .b64 r1 = flag; 1:.reg .b64 r3 = data
        }
        T0                 | T1                  ;
        mov.s32 r0, 1      | ld.cg.s32 r0, [r1]  ;
        st.cg.s32 [r1], r0 | membar.cta          ;
        membar.cta         | ld.cg.s32 r2, [r3]  ;
        st.cg.s32 [r3], r0 |                     ;

        ScopeTree(grid(cta(warp T0) (warp T1)))
        data: shared, flag: global
        exists (1:r0=1 /\\ 1:r2=0)
        """;
    assertThat(LitmusParser.parse(text).name()).isEqualTo("signal");
    assertThat(decide(text)).isEqualTo(Answer.FORBIDDEN);
    assertThat(decide(text.replace("membar.cta", ""))).isEqualTo(Answer.ALLOWED);
    String apart = text.replaceAll("ScopeTree.*", "ScopeTree(grid(cta(warp T0)) (cta(warp T1)))");
    assertThat(decide(apart)).isEqualTo(Answer.UNSUPPORTED);
    String global = apart.replace("shared", "global");
    assertThat(decide(global)).isEqualTo(Answer.ALLOWED);
    assertThat(decide(global.replace("membar.cta", "membar.gl"))).isEqualTo(Answer.FORBIDDEN);
  }

  /** Each block has its own shared memory, in every notation for the memory of a location. */
  @Test
  void sharedMemoryBelongsToOneBlock() {
    String text =
        """
        PTX own
        { x=0; y=0; }
        P0@cta 0,gpu 0      | P1@cta 0,gpu 0   | P2@cta 1,gpu 0 ;
        st.weak.shared x, 1 | ld.weak r1, x    | st.weak y, 1   ;
        exists (P1:r1 == 1)
        """;
    assertThat(decide(text)).isEqualTo(Answer.ALLOWED);
    LitmusTest test = LitmusParser.parse(text.replace("st.weak y", "st.weak x"));
    assertThat(test.unsupported()).hasToString("{shared memory of several blocks=1}");
    String declared = text.replace("y=0", ".shared .u32 y=0");
    assertThat(decide(declared)).isEqualTo(Answer.ALLOWED);
    assertThat(decide(declared.replace("r1, x ", "r1, y "))).isEqualTo(Answer.UNSUPPORTED);
  }

  /** Equivalent layouts do not change the verdict, in any combination. */
  @Test
  void layoutsDoNotChangeTheVerdict() {
    String text =
        """
        PTX layout
        "a description" Cycle=Rfe PodRR Fre
        { x=0; f=0; P1:r2=9; }
        P0@cta 0,gpu 0 | P1@cta 0,gpu 1 | P2@cta 1,gpu 1 | P3@cta 2,gpu 1 ;
        st.weak x, 7 | ld.acquire.sys r1, f | LC00: | ;
        st.release.sys f, 1 | ld.weak r2, x | ld.relaxed.sys r1, f | st.weak y, 1 ;
        | | bne r1, 1, LC00 | ;
        exists (P1:r1 == 1 /\\ (P1:r2 == 7 \\/ P1:r2 == 0) /\\ P2:r1 == 1)
        """;
    LitmusChecker checker = new LitmusChecker(MemoryModel.PTX_7_5);
    LitmusVerdict plain = checker.check(LitmusParser.parse(text));
    assertThat(plain.answer()).isEqualTo(Answer.ALLOWED);
    Map<String, UnaryOperator<String>> layouts = layouts();
    List<String> names = List.copyOf(layouts.keySet());
    for (int i = 0; i < 200; i++) {
      SplittableRandom random = new SplittableRandom(i);
      String changed = text;
      StringJoiner done = new StringJoiner(", ");
      for (Map.Entry<String, UnaryOperator<String>> layout : layouts.entrySet()) {
        String name = layout.getKey();
        if (i < names.size() ? names.get(i).equals(name) : random.nextInt(3) == 0) {
          String before = changed;
          changed = layout.getValue().apply(changed);
          assertThat(i < names.size() && changed.equals(before)).as(name).isFalse();
          done.add(name);
        }
      }
      LitmusTest test = LitmusParser.parse(changed);
      assertThat(checker.check(test)).as("%s of%n%s", done, changed).isEqualTo(plain);
    }
  }

  private static Map<String, UnaryOperator<String>> layouts() {
    Map<String, UnaryOperator<String>> all = new LinkedHashMap<>();
    all.put("one equals sign", s -> s.replace("==", "="));
    all.put("threads without a P", s -> s.replaceAll("P([0-9]):r", "$1:r"));
    all.put("threads by another letter", s -> s.replaceAll("P([0-9])([@:])", "T$1$2"));
    all.put("brackets", s -> s.replaceAll("(st\\.[a-z.]+) ([a-z])", "$1 [$2]"));
    all.put("no brackets", s -> s.replaceAll("exists \\((.*)\\)", "exists $1"));
    all.put("more brackets", s -> s.replaceAll("exists (.*)", "exists ((($1)))"));
    all.put("hexadecimal", s -> s.replaceAll("([,=]) 7", "$1 0x7"));
    all.put("unsigned", s -> s.replaceAll("([,=]) 7", "$1 7U"));
    all.put("a label by another name", s -> s.replace("LC00", "$L__BB0_1"));
    all.put("gpu before cta", s -> s.replaceAll("cta ([0-9]),gpu ([0-9])", "gpu $2, cta $1"));
    all.put("y declared", s -> s.replace("f=0;", "f=0; y;"));
    all.put("first values on lines", s -> s.replace("=0; ", "=0;\n").replace("{ ", "{\n\n"));
    all.put("no semicolon after the last value", s -> s.replace("P1:r2=9;", "P1:r2=9"));
    all.put("no end of the last row", s -> s.replaceAll("; *\nexists", "\nexists"));
    all.put("lines in the condition", s -> s.replace(" /\\", "\n  /\\\n"));
    all.put("locations", s -> s.replace("\nexists", "\nlocations [P1:r1; P2:r1; P1:r2]\nexists"));
    all.put("a filter that all pass", s -> s.replace("\nexists", "\nfilter (true)\nexists"));
    all.put("types", s -> s.replace("x=0;", "int x = 0 ;"));
    all.put("wide", s -> s.replaceAll("([|,;\\[\\]])", " $1 "));
    all.put("tight", s -> s.replaceAll(" *([|;,]) *", "$1"));
    all.put("tabs", s -> s.replace(" ", " \t "));
    all.put("remarks", s -> s.replace("=0;", "=0; (* a (* remark *)\nexists (x=1 *)"));
    all.put("remarks of lines", s -> s.replaceAll("gpu 1([ \t]*;)", "gpu 1$1 // | ; exists"));
    all.put("remarks in quotes", s -> s.replace("\nexists", "\n\"~exists (never) {\"\nexists"));
    all.put("a remark with a block", s -> s.replace("PodRR", "(*\n{ x=1; }\n*)"));
    all.put("a semicolon after the first values", s -> s.replaceFirst("}(?=\\s+P)", "};"));
    all.put("final", s -> s.replace("\nexists ", "\nfinal "));
    all.put("a semicolon after the condition", s -> s + ";\n");
    all.put("blank lines", s -> s.replace("\n", "\n \n"));
    all.put("lines as on Windows", s -> s.replace("\n", "\r\n"));
    all.put("a mark of byte order", s -> "\uFEFF" + s);
    all.put("no end of the last line", String::stripTrailing);
    all.put("lines as on old machines", s -> s.contains("\r") ? s : s.replace('\n', '\r'));
    return all;
  }

  /** A remark may contain anything, even the start of a comment that never ends. */
  @Test
  void aRemarkMayOpenACommentThatNeverEnds() {
    assertThat(decide("PTX a\nCom=f(*p)\n{x=1;}\nP0@cta 0,gpu 0;\nst.weak x, 2;\nexists (x==2)"))
        .isEqualTo(Answer.ALLOWED);
  }

  @Test
  void theConditionMayFollowTheTableInItsLine() {
    String text = "PTX line\n{x=0;}\nP0@cta 0,gpu 0; st.weak x, 1; ";
    assertThat(decide(text + "exists (x == 1)")).isEqualTo(Answer.ALLOWED);
    assertThat(decide(text + "~exists (x == 0)")).isEqualTo(Answer.FORBIDDEN);
    assertThat(decide(text + "locations [x] filter (x == 1) forall (x == 1)"))
        .isEqualTo(Answer.ALWAYS);
  }
}
