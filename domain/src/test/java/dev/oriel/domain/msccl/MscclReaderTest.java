package dev.oriel.domain.msccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.msccl.MscclPlan.Dependency;
import dev.oriel.domain.msccl.MscclPlan.Place;
import dev.oriel.domain.msccl.MscclPlan.PlanBuffer;
import dev.oriel.domain.msccl.MscclPlan.Step;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.TextPosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MscclReaderTest {
  /** Mutated files; {@code -Doriel.fuzz=1000000} tries a million. */
  private static final int MUTATED = Integer.getInteger("oriel.fuzz", 2_000);

  private static final List<String> PIECES =
      List.of(
          "<",
          ">",
          "/>",
          "</gpu>",
          "<step ",
          "<!--",
          "-->",
          "<![CDATA[",
          "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:x'>]>",
          "&e;",
          "&#0;",
          "\"",
          "=",
          "-1",
          "99999999999999999999",
          "hasdep=\"1\"",
          "type=\"re\"",
          "type=\"nop\"",
          "type=\"rrcs\"",
          "\u0000",
          "\ud800",
          "cnt=\"71\"",
          "proto=\"LL128\"",
          "maxBytes=\"0\"");

  private static final String GOOD = PlanXml.exchangeAllReduce().text();

  private static MscclPlan read(String text) {
    return MscclReader.read(text, "plan.xml");
  }

  private static void refused(String text, String... parts) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(ProgramException.class)
        .hasMessageContainingAll(parts);
  }

  /** The good plan with one text replaced, which must occur. */
  private static String with(String old, String replacement) {
    assertThat(GOOD).contains(old);
    return GOOD.replaceFirst(java.util.regex.Pattern.quote(old), replacement);
  }

  @Test
  void readsIdsPlacesAndDependencies() {
    MscclPlan plan = read(GOOD);
    assertThat(plan.name()).isEqualTo("a_plan");
    assertThat(plan.protocol()).isEqualTo(MscclProtocol.SIMPLE);
    assertThat(plan.collective()).isEqualTo(MscclCollective.ALLREDUCE);
    assertThat(plan.mostBytes()).isEqualTo(1L << 27);
    assertThat(read(with("<algo", "<algo maxBytes=\"0\"")).mostBytes()).isEqualTo(Long.MAX_VALUE);
    Step step = plan.gpus().get(1).blocks().get(1).steps().getFirst();
    assertThat(step)
        .isEqualTo(
            new Step(
                1,
                1,
                0,
                StepType.RE,
                Optional.of(new Place(PlanBuffer.S, 0)),
                Optional.of(new Place(PlanBuffer.O, 0)),
                1,
                Optional.of(new Dependency(0, 1)),
                false,
                new TextPosition(17, 7)));
    assertThat(step.words())
        .isEqualTo("gpu 1, tb 1, step 0: re o[0] from s[0], after tb 0, step 1");
  }

  @Test
  void toleratesWhatNoRuntimeReads() {
    String text =
        "\uFEFF<?xml version='1.0'?>\n<!-- made <by> hand -->\n"
            + with("  <gpu id=\"0\"", "  <!-- first --><gpu note='a&amp;b&lt;' id=\"0\"")
                .replaceFirst("  </gpu>", "<copy i_off=\"0\" o_off=\"0\"/><copy></copy></gpu>");
    assertThat(read(text).gpus()).hasSize(2);
    assertThat(read(text.replace("\n", " ")).gpus()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "reduce_scatter, REDUCE_SCATTER",
    "reducescatter, REDUCE_SCATTER",
    "alltoall, ALLTOALL",
    "alltonext, CUSTOM"
  })
  void knowsBothSpellingsAndTakesOthersForCustom(String spelling, MscclCollective collective) {
    String text = PlanXml.of(spelling, 1, 1).gpu(0, 1, 1, 0).tb(-1, -1, 0, "cpy i0 > o0").text();
    assertThat(read(text).collective()).isEqualTo(collective);
  }

  @Test
  void unsupportedStepsAreNamedAndCounted() {
    String text =
        PlanXml.of("custom", 1, 1)
            .gpu(0, 1, 1, 0)
            .tb(-1, -1, 0, "ra i0 > o0", "cpy i0 > o0", "ra i0 > o0", "teleport i0 > o0")
            .text();
    refused(
        text,
        "steps that are not supported",
        "line=4",
        "2 of type ra and 1 of type teleport",
        "nothing is said of this plan");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ngpus=\"2\" | ngpus=\"3\" | gpus missing",
        "ngpus=\"2\" | ngpus=\"65\" | number out of range",
        "ngpus=\"2\" | ngpus=\"99999999999999999999\" | not a whole number",
        "ngpus=\"2\" | ngpus=\"two\" | not a whole number",
        "ngpus=\"2\" | ngpus=\"2\" ngpus=\"2\" | attribute twice",
        "ngpus=\"2\" | | attribute missing",
        "proto=\"Simple\" | proto=\"Difficult\" | unknown protocol",
        "inplace=\"1\" | inplace=\"0\" | plan for no call",
        "<algo | <algo minBytes=\"9\" maxBytes=\"8\" | plan for no size",
        "gpu id=\"1\" | gpu id=\"2\" | number out of range",
        "i_chunks=\"1\" | i_chunks=\"2\" | size does not fit the collective",
        "o_chunks=\"1\" | o_chunks=\"2\" | size does not fit the collective",
        "tb id=\"1\" | tb id=\"0\" | block twice",
        "tb id=\"1\" | tb id=\"2\" | block missing",
        "send=\"1\" | send=\"0\" | block connected to its own gpu",
        "send=\"1\" | send=\"2\" | number out of range",
        "chan=\"0\" | chan=\"4\" | number out of range",
        "send=\"1\" | send=\"-1\" | step sends in a block without a peer",
        "recv=\"1\" | recv=\"-1\" | step receives in a block without a peer",
        "step s=\"1\" | step s=\"2\" | step out of turn",
        "step s=\"0\" | step s=\"1\" | step out of turn",
        "srcbuf=\"i\" | srcbuf=\"x\" | unknown buffer",
        "srcoff=\"0\" | srcoff=\"1\" | outside the buffer",
        "srcoff=\"0\" | srcoff=\"-1\" | number out of range",
        "srcoff=\"0\" | srcoff=\"32768\" | number out of range",
        "cnt=\"1\" | cnt=\"0\" | number out of range",
        "cnt=\"1\" | cnt=\"2\" | outside the buffer",
        "cnt=\"1\" | cnt=\"72\" | number out of range",
        "depid=\"0\" | depid=\"2\" | no such block",
        "deps=\"1\" | deps=\"2\" | no such step",
        "deps=\"1\" | deps=\"-1\" | no step to wait for",
        "hasdep=\"1\" | hasdep=\"2\" | number out of range",
        "</tb> | </gpu> | end of another element",
        "<tb | <block | unknown element",
        "</tb> | </tb>text | text between elements",
        "</algo> | | element without an end",
        "</algo> | </algo><algo/> | second root",
        "</algo> | </algo></algo> | end of another element",
        "name=\"a_plan\" | name=a_plan | value without quotes",
        "name=\"a_plan\" | name=\"a_plan | attribute without a value",
        "hasdep=\"0\"/> | hasdep=\"0/> | value with <",
        "name=\"a_plan\" | name | attribute without a value",
        "name=\"a_plan\" | name=\"&lol;\" | unknown entity",
        "name=\"a_plan\" | name=\"&#65;\" | unknown entity",
        "<algo | <!DOCTYPE a><algo | a document type, an entity or CDATA",
        "<algo | <![CDATA[x]]><algo | a document type, an entity or CDATA",
        "<algo | <!-- x <algo | comment without an end",
        "<algo | <algorithm | no plan"
      })
  void mistakesAreRefusedWithTheirPlace(String old, String replacement, String message) {
    String text = with(old, replacement == null ? "" : replacement);
    refused(text, message, "file=plan.xml", "line=", "column=", "; ");
  }

  @Test
  void messagesNameStepsByTheIdsOfTheFile() {
    refused(
        with("depid=\"0\"", "depid=\"7\""),
        "gpu 0, tb 1, step 0: no such block",
        "file=plan.xml, line=8, column=7, element=step, depid=7");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nop after 0.0 announced", "nop", "nop after 0.0"})
  void aNopOnlyCarriesADependencyOfTheNextStep(String nop) {
    String text =
        PlanXml.of("custom", 1, 1)
            .gpu(0, 1, 1, 0)
            .tb(-1, -1, 0, "cpy i0 > o0 announced")
            .tb(
                -1,
                -1,
                0,
                nop,
                nop.equals("nop after 0.0") ? "cpy i0 > o0" : "cpy i0 > o0 after 0.0")
            .text();
    refused(text, "gpu 0, tb 1, step 0: nop");
  }

  @Test
  void eachGpuOccursOnce() {
    String text = PlanXml.of("custom", 2, 1).gpu(0, 1, 1, 0).gpu(1, 1, 1, 0).text();
    refused(text.replace("gpu id=\"1\"", "gpu id=\"0\""), "gpu twice", "line=4");
  }

  /** Whatever a file has, it is a plan with programs or refused with a message. */
  @Test
  void mutatedFilesAreReadOrRefused() {
    List<String> texts =
        List.of(
            GOOD,
            PlanXml.ringAllGather(3).text(),
            PlanXml.ringAllReduce(2).protocol("LL").text(),
            PlanXml.of("custom", 1, 1)
                .gpu(0, 1, 1, 1)
                .tb(-1, -1, 0, "cpy i0 > o0 announced", "re i0 > o0", "re i0 > o0 announced")
                .tb(-1, -1, 0, "nop after 0.0", "cpy o0 > s0 after 0.2")
                .text());
    Random random = new Random(29);
    int plans = 0;
    int wrong = 0;
    for (int i = 0; i < MUTATED; i++) {
      String text = texts.get(random.nextInt(texts.size()));
      for (int k = random.nextInt(3); k >= 0; k--) {
        text = mutated(text, random);
      }
      try {
        ImportedPlan plan =
            MscclTranslation.imported(
                read(text), i % 2 == 0 ? FlagOrder.INTENDED : FlagOrder.AS_WRITTEN);
        plans++;
        wrong += plan.defects().isEmpty() ? 0 : 1;
      } catch (ProgramException e) {
        assertThat(e.getMessage()).as(text).hasSizeLessThan(1_000);
      } catch (RuntimeException | StackOverflowError e) {
        throw new AssertionError(text, e);
      }
    }
    assertThat(plans).isBetween(MUTATED / 100, MUTATED - MUTATED / 100);
    assertThat(wrong).isPositive();
  }

  private static String mutated(String text, Random random) {
    int at = random.nextInt(text.length() + 1);
    int end = Math.min(text.length(), at + random.nextInt(12));
    return switch (random.nextInt(6)) {
      case 0 -> text.substring(0, at) + text.substring(end);
      case 1 ->
          text.substring(0, at) + PIECES.get(random.nextInt(PIECES.size())) + text.substring(end);
      case 2 -> text.substring(0, at) + text.substring(at, end) + text.substring(at);
      case 3 -> text.substring(0, at);
      case 4 -> twice(text, random);
      default -> number(text, random);
    };
  }

  /** The text with one of its lines once more, anywhere. */
  private static String twice(String text, Random random) {
    List<String> lines = new ArrayList<>(text.lines().toList());
    if (!lines.isEmpty()) {
      lines.add(random.nextInt(lines.size() + 1), lines.get(random.nextInt(lines.size())));
    }
    return String.join("\n", lines);
  }

  /** The text with another number in place of one of its digits. */
  private static String number(String text, Random random) {
    int at = text.isEmpty() ? 0 : random.nextInt(text.length());
    while (at < text.length() && !Character.isDigit(text.charAt(at))) {
      at++;
    }
    String other = List.of("0", "1", "2", "3", "7", "40", "65536").get(random.nextInt(7));
    return at == text.length() ? text : text.substring(0, at) + other + text.substring(at + 1);
  }

  @Test
  void aPlanHasSteps() {
    refused(PlanXml.of("custom", 1, 1).gpu(0, 1, 1, 0).tb(-1, -1, 0).text(), "plan without steps");
  }

  @Test
  void sharesOfBlocksMustBeEqual() {
    refused(PlanXml.of("allgather", 2, 3).text(), "chunks that ranks cannot share equally");
  }

  @Test
  void textsThatAreEmptyLongOrDeepAreRefused() {
    refused("", "no element");
    refused("<!-- nothing -->", "no element");
    refused(" ".repeat(XmlCursor.MOST_TEXT + 1), "plan too long", "max=16777216");
    String deep = "<copy>".repeat(20);
    refused(with("  </gpu>", deep), "elements nested too deeply", "max=16");
    StringBuilder many = new StringBuilder("<algo");
    for (int i = 0; i < 70; i++) {
      many.append(" a").append(i).append("='1'");
    }
    refused(many.toString(), "too many attributes", "max=64");
    String name = "x".repeat(100_000);
    assertThatThrownBy(() -> read("<" + name + "/>")).message().hasSizeLessThan(300);
  }
}
