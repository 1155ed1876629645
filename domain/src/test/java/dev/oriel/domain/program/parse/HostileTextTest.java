package dev.oriel.domain.program.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.oriel.domain.measure.ProcessorTime;
import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.ShippedText;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class HostileTextTest {
  private static final int MIB = 1 << 20;
  private static final String LANE = "form f output b[8] lane l: host { ";

  static Stream<Arguments> texts() {
    return Stream.of(
        text("parentheses", "(".repeat(MIB)),
        text("parentheses in an operand", LANE + "let x = " + "(".repeat(MIB - 100)),
        text("closed parentheses", LANE + "let x = " + wrapped("(", "1", ")", 500_000) + "}"),
        text("calls", LANE + "let x = " + wrapped("nz32(", "1", ")", 170_000) + "}"),
        text("nested minima", LANE + "let x = " + wrapped("min(1,", "1", ")", 140_000) + "}"),
        text("a long sum", LANE + "let x = 1" + "+1".repeat(500_000) + "}"),
        text("rising strength", LANE + "let x = 1" + "|1^1&1<<1+1*1".repeat(70_000) + "}"),
        text("a deep left operand", LANE + "let x = " + leftDeep() + "}"),
        text("a long sum in a hook", hook("in0" + "+in0".repeat(150_000))),
        text("rising strength in a hook", hook("in0" + "|in0&in0<<in0+in0*in0".repeat(40_000))),
        text("minus signs", LANE + "let x = " + "- ".repeat(500_000) + "}"),
        text("nested blocks", LANE + "each p in all {".repeat(60_000)),
        text("100,000 blocks", LANE + "if 1==1{".repeat(100_000)),
        text("closed blocks", LANE + wrapped("for t<1{", "", "}", 100_000) + "}"),
        text("else after else", LANE + "if 1==1{}else{".repeat(70_000)),
        text("operations", LANE + "sync ".repeat(200_000) + "}"),
        text("lanes", declarations("lane l%d:copy{}", 50_000)),
        text("lanes that join in a chain", joins(20_000)),
        text("equal lanes", "form f " + "lane l:copy{} ".repeat(70_000)),
        text("parameters", declarations("param p%d<=1 ", 60_000)),
        text("definitions", "form f let d0=n " + definitions()),
        text("buffers", declarations("input b%d[1]", 70_000)),
        text("signals", declarations("signal b%d[1]", 60_000)),
        text("post-conditions", "form f output b[8] " + "ensure b[0]=b[0]bytes 0 ".repeat(40_000)),
        text("indices", "form f lane l(" + commas("i%d<1", 100_000) + "):copy{}"),
        text("states", "form f lane l:copy{" + declarations("state s%d ", 80_000).substring(7)),
        text("destinations", LANE + "move b[0]" + ",b[0]".repeat(200_000) + "<-b[0] bytes 1}"),
        text("comparisons", LANE + "check 1==1" + " and 1==1".repeat(110_000) + " else 1}"),
        text("a huge number", LANE + "let x = " + "9".repeat(MIB - 100)),
        text("a huge hexadecimal number", LANE + "let x = 0x" + "f".repeat(MIB - 100)),
        text("a huge name", LANE + "let " + "x".repeat(MIB - 100)),
        text("a huge form name", "form " + "x".repeat(MIB - 100)),
        text("a form name of parts", "form a" + "-a".repeat(500_000)),
        text("underscores", LANE + "let x = 1" + "_".repeat(MIB - 100)),
        text("NUL", "\u0000".repeat(MIB)),
        text("a NUL in a name", "form f lane l\u0000: copy {}"),
        text("a byte order mark", "\uFEFFform f lane l: copy {}"),
        text("letters of other alphabets", "form \u0444\u043E\u0440\u043C\u0430"),
        text("digits of other alphabets", "form f param B <= \u0663"),
        text("half a surrogate pair", "form f \uD83D"),
        text("a surrogate pair", "form f \uD83D\uDE00"),
        text("a comment without an end", "form f -- " + "x".repeat(MIB - 100)),
        text("white space", " ".repeat(MIB)),
        text("lines", "\n".repeat(MIB)),
        text("dashes", "-".repeat(MIB)),
        text("too long a text", " ".repeat(MIB + 1)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("texts")
  @Sampled(every = 5)
  void isRefusedInASecondWithAShortMessage(String name, String text) {
    Throwable[] caught = new Throwable[1];
    assertThat(ProcessorTime.of(() -> caught[0] = catchThrowable(() -> FormParser.parse(text))))
        .isLessThan(Duration.ofSeconds(2));
    Throwable thrown = caught[0];
    assertThat(thrown).isInstanceOf(ProgramException.class);
    assertThat(thrown.getMessage()).contains(": ").contains("; ").hasSizeLessThan(400);
  }

  @Test
  void everyTextThatEndsEarlyIsRefused() {
    for (String name : ShippedText.NAMES) {
      String text = ShippedText.of(name);
      int complete = text.lastIndexOf('}') + 1;
      int first = text.indexOf("lane main");
      for (int end = 0; end < complete; end++) {
        String cut = text.substring(0, end);
        Throwable thrown = catchThrowable(() -> FormParser.parse(cut));
        assertThat(thrown).isInstanceOf(ProgramException.class);
        if (end > first) {
          assertThat(thrown).hasMessageContaining("line=");
        }
      }
    }
  }

  @Test
  void namesTheLengthOfTooLongAText() {
    assertThat(catchThrowable(() -> FormParser.parse(" ".repeat(MIB + 1))))
        .hasMessage(
            "program text too long: characters=1048577, max=1048576; split it into several forms");
  }

  private static Arguments text(String name, String text) {
    return Arguments.of(name, text);
  }

  private static String hook(String value) {
    return "form f input a[8] output b[8] hook h(in0: i32) -> i32 = "
        + value
        + " lane l: sm(32) { move b[0] <- h (a[0]) bytes 8 }";
  }

  private static String wrapped(String open, String inner, String close, int times) {
    return open.repeat(times) + inner + close.repeat(times);
  }

  /** A sum of 4,000 terms whose depth is hidden by parentheses. */
  private static String leftDeep() {
    StringBuilder text = new StringBuilder("(".repeat(60)).append("1");
    for (int i = 0; i < 60; i++) {
      text.append("+1".repeat(60)).append(')');
    }
    return text.toString();
  }

  private static String declarations(String one, int times) {
    StringBuilder text = new StringBuilder("form f ");
    for (int i = 0; i < times; i++) {
      text.append(one.formatted(i));
    }
    return text.toString();
  }

  private static String definitions() {
    StringBuilder text = new StringBuilder();
    for (int i = 1; i < 40_000; i++) {
      text.append("let d%d=d%d+d%d ".formatted(i, i - 1, i - 1));
    }
    return text.toString();
  }

  private static String joins(int lanes) {
    StringBuilder text = new StringBuilder("form f ");
    for (int i = 0; i < lanes; i++) {
      text.append("lane l%d:copy{join l%d}".formatted(i, (i + 1) % lanes));
    }
    return text.toString();
  }

  private static String commas(String one, int times) {
    StringBuilder text = new StringBuilder(one.formatted(0));
    for (int i = 1; i < times; i++) {
      text.append(',').append(one.formatted(i));
    }
    return text.toString();
  }
}
