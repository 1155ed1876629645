package dev.oriel.domain.mscclpp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.msccl.ImportedPlan;
import dev.oriel.domain.msccl.MscclDefect;
import dev.oriel.domain.program.ProgramException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExecutionPlanReaderTest {
  /** Mutated files; {@code -Doriel.fuzz=1000000} tries a million. */
  private static final int MUTATED = Integer.getInteger("oriel.fuzz", 2_000);

  private static final List<String> PIECES =
      List.of(
          "{",
          "}",
          "[",
          "]",
          "\"",
          ",",
          ":",
          "-1",
          "0",
          "1",
          "99999999999999999999",
          "1e9",
          "0.5",
          "null",
          "true",
          "\"nop\"",
          "\"name\": ",
          "\"ops\": []",
          "\\",
          "\u0000",
          "{\"id\": 0}",
          "i");

  private static ExecutionPlan read(String text) {
    return ExecutionPlanReader.read(text, "plan.json");
  }

  private static void refused(String text, String... words) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(ProgramException.class)
        .message()
        .contains("file=plan.json, line=")
        .contains(words)
        .hasSizeLessThan(600);
  }

  private static String valid() {
    return ExecutionPlanJson.readAllReduce().text();
  }

  private static ImportedPlan imported(ExecutionPlanJson plan) {
    return ExecutionTranslation.imported(read(plan.text()));
  }

  @Test
  void aPlanKeepsTheIdsOfItsFile() {
    ExecutionPlan plan = read(valid());
    ExecutionPlan.Operation operation = plan.gpus().get(1).blocks().getFirst().operations().get(3);
    assertThat(operation.words())
        .isEqualTo("gpu 1, tb 0, op 3: rres to i[1], i@gpu 0[1] from i[1], i@gpu 0[1]");
    assertThat(operation.at().line()).isEqualTo(17);
  }

  @Test
  void jsonThatIsWrongIsRefusedWithItsPlace() {
    refused("{", "key expected", "line=1, column=2", "the end");
    refused("{\"a\": 1, \"a\": 2}", "key twice", "element=plan.a", "column=10");
    refused("[" + "[".repeat(100), "nested too deeply");
    refused("{\"a\": 01}", "no JSON value");
    refused("{\"a\": \"b}", "text without an end");
    refused("{\"a\": \"\\x\"}", "unknown escape");
    refused("{} {}", "text after the plan");
    refused("[1]", "no object");
    assertThatThrownBy(() -> read("[" + "0,".repeat(1 << 20) + "0]"))
        .hasMessageContaining("too many values");
    assertThatThrownBy(() -> read(" ".repeat(JsonText.MOST_TEXT + 1)))
        .hasMessageContaining("plan too long");
  }

  @Test
  void membersOutOfRangeAreRefusedWithTheirPath() {
    refused(valid().replace("\"collective\": \"allreduce\", ", ""), "plan.collective", "add it");
    refused(valid().replace("\"input_chunks\": 2", "\"input_chunks\": 2.0"), "no whole number");
    refused(
        valid().replace("\"input_chunks\": 2", "\"input_chunks\": 99999999999999999999"),
        "number out of range",
        "plan.gpus[0].input_chunks");
    refused(valid().replace("\"id\": 1", "\"id\": 0"), "gpu out of turn", "plan.gpus[1].id");
    refused(valid().replace("\"index\": 1", "\"index\": 2"), "outside the buffer", "chunks=2");
    refused(valid().replace("\"buffer_id\": 0", "\"buffer_id\": 7"), "no such buffer of the block");
    refused(
        valid()
            .replace(
                "\"channel_ids\": [0], \"channel_type\": \"memory\"",
                "\"channel_ids\": [5], \"channel_type\": \"memory\""),
        "no such channel of the block",
        "ops[0].channel_ids[0]");
    refused(valid().replace("Simple", "LL128"), "unknown protocol");
    refused(
        valid().replace("\"output_chunks\": 2", "\"output_chunks\": 3"),
        "sizes do not fit the collective");
    refused(
        ExecutionPlanJson.readAllReduce().with("\"max_message_size\": 16").text(),
        "plan for no size");
    assertThat(
            read(ExecutionPlanJson.readAllReduce()
                    .with("\"max_message_size\": 18446744073709551615")
                    .text())
                .mostBytes())
        .isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void olderFormatsAndTemplatesAreNamed() {
    refused(valid().replace("input_chunks", "inputChunks"), "first format of execution plans");
    refused(
        valid()
            .replace(
                "{\"channel_type\": \"memory\", \"connected_to\"",
                "{\"type\": \"memory\", \"connected_to\""),
        "between the first and the current one");
    refused(
        valid()
            .replace("\"index\": 1, \"size\"", "\"index\": 1, \"size\"")
            .replace("\"name\": \"nop\"", "\"name\": \"nop\", \"cids\": []"),
        "member cids");
    refused(
        valid().replace("\"input_chunks\": 2", "\"input_chunks\": \"${CHUNKS}\""),
        "template of an execution plan");
  }

  @Test
  void operationsWithoutAModelAreNamedAndCounted() {
    refused(valid().replace("\"rres\"", "\"rrc\""), "not supported", "operations=2 of rrc;");
    refused(valid().replace("\"name\": \"wait\"", "\"name\": \"tpkt\""), "operations=4 of tpkt");
  }

  @Test
  void mistakesOfTheTextNeedNoExecution() {
    ExecutionPlanJson shared = ExecutionPlanJson.of("test", 2, 1, 1, 0);
    for (int g = 0; g < 2; g++) {
      shared.tb(g, "signal @" + (1 - g), "signal @" + (1 - g), "wait @" + (1 - g));
    }
    assertThat(imported(shared).defects())
        .extracting(MscclDefect::kind)
        .containsExactly(MscclDefect.Kind.UNMATCHED);
    ExecutionPlanJson stuck =
        ExecutionPlanJson.of("test", 2, 1, 1, 0).tb(0, "wait @1").tb(1, "nop");
    assertThat(imported(stuck).defects())
        .singleElement()
        .satisfies(defect ->
            assertThat(defect.reason())
                .contains("gpu 0, tb 0, op 0 waits forever", "from gpu 1 to gpu 0"));
    ExecutionPlanJson barrier =
        ExecutionPlanJson.of("test", 1, 1, 1, 0).tb(0, "barrier 0 2", "copy i0 > o0");
    assertThat(imported(barrier).defects())
        .extracting(MscclDefect::kind)
        .containsExactly(MscclDefect.Kind.BARRIER);
    assertThat(imported(ExecutionPlanJson.semaphoreAllGather()).defects()).isEmpty();
    ExecutionPlanJson packets =
        ExecutionPlanJson.of("test", 1, 1, 1, 1).packets().tb(0, "upkt s0 > o0");
    assertThat(imported(packets).defects())
        .singleElement()
        .satisfies(defect -> assertThat(defect.reason()).contains("waits forever for packets"));
  }

  /** Whatever a file has, it is a plan with programs or refused with a message. */
  @Test
  void mutatedFilesAreReadOrRefused() {
    List<String> texts =
        List.of(
            valid(),
            ExecutionPlanJson.packetAllReduce().text(),
            ExecutionPlanJson.pipelined().text(),
            ExecutionPlanJson.semaphoreAllGather().text(),
            ExecutionPlanJson.portAllGather().text(),
            ExecutionPlanJson.switchAllReduce("rlxsignal", "rlxwait").text());
    Random random = new Random(29);
    int plans = 0;
    for (int i = 0; i < MUTATED; i++) {
      String text = texts.get(random.nextInt(texts.size()));
      for (int k = random.nextInt(3); k >= 0; k--) {
        text = mutated(text, random);
      }
      try {
        ExecutionTranslation.imported(read(text));
        plans++;
      } catch (ProgramException e) {
        assertThat(e.getMessage()).as(text).hasSizeLessThan(1_000);
      } catch (RuntimeException | StackOverflowError e) {
        throw new AssertionError(text, e);
      }
    }
    assertThat(plans).isPositive().isLessThan(MUTATED);
  }

  private static String mutated(String text, Random random) {
    int at = random.nextInt(text.length() + 1);
    int end = Math.min(text.length(), at + random.nextInt(12));
    return switch (random.nextInt(5)) {
      case 0 -> text.substring(0, at) + text.substring(end);
      case 1 ->
          text.substring(0, at) + PIECES.get(random.nextInt(PIECES.size())) + text.substring(end);
      case 2 -> text.substring(0, at) + text.substring(at, end) + text.substring(at);
      case 3 -> text.substring(0, at);
      default -> number(text, random);
    };
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
}
