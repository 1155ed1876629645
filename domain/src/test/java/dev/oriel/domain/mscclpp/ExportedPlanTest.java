package dev.oriel.domain.mscclpp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.mscclpp.ExecutionPlan.Operation;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.tuning.ShippedProgram;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExportedPlanTest {
  /** Each rank puts its input to all; a line is replaced to show what a plan cannot say. */
  private static final String GATHER =
      """
      form gather
      input in[64]
      output out[n * 64]
      scratch box[128]
      signal READY[2]
      signal DATA[2]
      ensure each p in all: out[p * 64] = in@p[0] bytes 64

      lane main: sm(64) {
        signal READY[0]@peers set epoch release
        move out[r * 64] <- in[0] bytes 64
        await READY[0]@peers reached epoch acquire
        move out@peers[r * 64] <- in[0] bytes 64
        signal DATA[0]@peers set epoch release
        await DATA[0]@peers reached epoch acquire
      }
      """;

  private static ExportedPlan exported(String text, int world) {
    return ExportedPlan.of(Program.bind(FormParser.parse(text), world, Map.of()));
  }

  private static Form shipped(String name) throws IOException {
    String text = ShippedProgram.named(name).orElseThrow().text();
    try (InputStream in = Form.class.getResourceAsStream("/programs/" + text + ".oriel")) {
      return FormParser.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static List<String> operations(ExportedPlan plan, int gpu, int block) {
    return plan.plan().gpus().get(gpu).blocks().get(block).operations().stream()
        .map(Operation::words)
        .map(words -> words.substring(words.indexOf(": ") + 2))
        .toList();
  }

  @Test
  void aLaneIsABlockAndNopsOrderWhatItOrders() {
    assertThat(operations(exported(GATHER, 3), 1, 0))
        .containsExactly(
            "signal with gpu 0, 2",
            "copy to o[1] from i[0]",
            "wait with gpu 0, 2",
            "nop",
            "put to o@gpu 0[1], o@gpu 2[1] from i[0], i[0]",
            "nop",
            "signal with gpu 0, 2",
            "wait with gpu 0, 2");
  }

  /** An own credit of the launch before is taken at its end. */
  @Test
  void valuesBecomeCounts() {
    String credits =
        """
        form credits
        input in[256]
        output out[256]
        scratch ring[128]
        signal DATA[1]
        signal FREE[1]
        ensure out[0] = in@((r - 1) % n)[0] bytes 256

        lane main: sm(64) {
          state done step 64
          let succ = (r + 1) % n
          let pred = (r - 1) % n
          for t < 4 {
            await FREE[0]@succ reached done + 64 - 128 acquire
            move ring@succ[done % 128] <- in[t * 64] bytes 64
            signal DATA[0]@succ set done + 64 release
            await DATA[0]@pred reached done + 64 acquire
            move out[t * 64] <- ring[done % 128] bytes 64
            signal FREE[0]@pred set done + 64 release
            set done = done + 64
          }
        }
        """;
    List<String> operations = operations(exported(credits, 2), 0, 0);
    // The third and fourth turn wait for room, and two signals are left for the end.
    assertThat(operations.stream().filter(words -> words.startsWith("wait")).count()).isEqualTo(8);
    assertThat(operations.subList(operations.size() - 3, operations.size()))
        .containsExactly("wait with gpu 1", "nop", "wait with gpu 1");
    // One that is never awaited orders nothing.
    String twice =
        GATHER.replace(
            "signal DATA[0]@peers set epoch release",
            "signal DATA[0]@peers set epoch * 2 release\n  signal DATA[0]@peers set epoch * 2 + 1 release");
    assertThat(
            operations(
                exported(
                    twice.replace("DATA[0]@peers reached epoch", "DATA[0]@peers reached epoch * 2"),
                    2),
                0,
                0))
        .endsWith("wait with gpu 1", "nop", "rlxwait with gpu 1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "signal DATA[0]@peers set epoch release | signal DATA[0]@peers set epoch relaxed | signal that is not of order release",
        "await READY[0]@peers reached epoch acquire | await READY[0]@peers reached epoch relaxed | await that is not of order acquire",
        "await READY[0]@peers reached epoch acquire | await READY[0]@peers reached epoch + 1 acquire | only a later launch sends",
        "await READY[0]@peers reached epoch acquire | await READY[0]@peers reached 1 acquire | grows differently",
        "await READY[0]@peers reached epoch acquire | await READY[0]@peers == epoch acquire | condition that is no number of signals",
        "await READY[0]@peers reached epoch acquire | await sum READY[0]@peers reached epoch acquire | condition that is no number of signals",
        "signal READY[0]@peers set epoch release | signal READY[epoch & 1]@peers set epoch release | depends on the number of the launch",
        "signal READY[0]@peers set epoch release | signal READY[0]@all set epoch release | signal to the own rank",
        "move out[r * 64] <- in[0] bytes 64 | move out[r * 64] <- in[0] bytes (epoch & 1) * 64 | depends on the number of the launch",
        "move out[r * 64] <- in[0] bytes 64 | move box[epoch % 3 * 32] <- in[0] bytes 32 | number that an execution plan cannot compute",
        "move out[r * 64] <- in[0] bytes 64 | move box[(epoch & 1) * 64] <- in[0] bytes 64 | plain bytes in scratch whose halves take turns",
        "move out[r * 64] <- in[0] bytes 64 | move box[0] pkt16(nz32(epoch + 1)) <- in[0] bytes 64 | another flag than the launch's",
        "move out[r * 64] <- in[0] bytes 64 | move box[0] pkt16(nz32(epoch)) <- in[0] bytes 0 | packet without data",
        "move out[r * 64] <- in[0] bytes 64 | move out[r * 64] <- in@((r + 1) % n)[0] bytes 64 | load from a peer to another offset",
        "move out[r * 64] <- in[0] bytes 64 | move out[r * 64] <- max fp32 in fp32 (in[0], in[0]) bytes 64 | reduction that is no sum",
        "move out[r * 64] <- in[0] bytes 64 | move out[r * 64] <- sum bf16 in fp32 (in[0], in[0]) bytes 64 | sum in another type",
        "move out[r * 64] <- in[0] bytes 64 | store box[0] <- r | store of a word",
        "move out[r * 64] <- in[0] bytes 64 | load x <- box[0] | load of a word",
        "lane main: sm(64) { | lane main: host { | lane that is no thread block",
        "lane main: sm(64) { | lane main: sm(1) { | lane that is no thread block",
        "ensure each p in all: out[p * 64] = in@p[0] bytes 64 | ensure out[0] = in[0] bytes 64 | result that matches no collective",
        "input in[64] | output in[64] | program without one input",
      })
  void whatNoOperationSaysIsNamed(String from, String to, String message) {
    assertThat(GATHER).contains(from);
    assertThatThrownBy(() -> exported(GATHER.replace(from, to), 3))
        .isInstanceOf(ProgramException.class)
        .hasMessageContaining(message);
  }

  @Test
  void refusalsNameTheOperationAndAreCollected() {
    String text =
        GATHER
            .replace(
                "out[r * 64] <- in[0] bytes 64\n  await",
                "box[epoch % 3 * 32] <- in[0] bytes 32\n  await")
            .replace(
                "signal DATA[0]@peers set epoch release", "signal DATA[0]@peers set epoch relaxed");
    assertThatThrownBy(() -> exported(text, 3))
        .isInstanceOfSatisfying(
            ProgramException.class,
            refused -> {
              assertThat(refused.mistakes()).hasSize(2);
              assertThat(refused.mistakes().getFirst().message())
                  .contains(
                      "rank=0, lane=main", "operation=move box[epoch % 3 * 32] <- in[0] bytes 32");
              assertThat(refused.mistakes().getFirst().parts()).hasSize(1);
            });
  }

  @Test
  void twoLanesThatSignalASlotAreRefused() {
    String lane = GATHER.substring(GATHER.indexOf("lane"));
    assertThatThrownBy(() -> exported(GATHER + lane.replace("main", "other"), 2))
        .hasMessageContaining("slot that several lanes signal")
        .hasMessageContaining("also=other");
  }

  /** Each lane that awaits a slot has a channel of its own, since a wait takes a signal. */
  @Test
  void aSlotOfSeveralWaitersHasAChannelForEach() {
    String text =
        GATHER
            + """
            lane late: sm(64) {
              await DATA[0]@peers reached epoch acquire
              move box[0] <- out[0] bytes 64
            }
            """;
    ExportedPlan plan = exported(text, 2);
    assertThat(operations(plan, 0, 0)).contains("signal with gpu 1, 1");
    assertThat(operations(plan, 0, 1)).startsWith("wait with gpu 1", "nop");
    assertThat(ExecutionTranslation.imported(read(plan)).defects()).isEmpty();
  }

  /** It is left out, but what comes after it stays ordered after what came before. */
  @Test
  void aSignalThatNothingAwaitsOrdersMoves() {
    String text =
        GATHER
            .replace(
                "signal READY[0]@peers set epoch release",
                "move box[0] <- in[0] bytes 64\n  signal READY[1]@peers set epoch release")
            .replace("await READY[0]@peers reached epoch acquire", "")
            .replace("move out[r * 64] <- in[0]", "move out[r * 64] <- box[0]");
    assertThat(operations(exported(text, 2), 0, 0))
        .startsWith("copy to s[0] from i[0]", "nop", "copy to o[0] from s[0]");
  }

  private static ExecutionPlan read(ExportedPlan plan) {
    return ExecutionPlanReader.read(plan.text(), "plan.json");
  }

  /** What is read has the operations, places and channels that were written. */
  @Test
  void whatIsWrittenIsRead() throws IOException {
    int said = 0;
    for (ShippedProgram program : ShippedProgram.ALL) {
      for (int world = 2; world <= 4; world++) {
        Map<String, Long> params = new TreeMap<>();
        for (Form.Param param : shipped(program.name()).params()) {
          params.put(param.name(), param.name().equals("B") ? 7680L : 0);
        }
        ExportedPlan plan;
        try {
          plan = ExportedPlan.of(Program.bind(shipped(program.name()), world, params));
        } catch (ProgramException refused) {
          continue;
        }
        said++;
        ExecutionPlan read = read(plan);
        assertThat(read.operations().map(Operation::words).toList())
            .as(program.name())
            .isEqualTo(plan.plan().operations().map(Operation::words).toList());
        assertThat(read.operations().map(Operation::channels).toList())
            .isEqualTo(plan.plan().operations().map(Operation::channels).toList());
        assertThat(read.collective()).isEqualTo(plan.plan().collective());
        assertThat(read.leastBytes()).isEqualTo(plan.plan().leastBytes());
        assertThat(read.doubleScratch()).isEqualTo(plan.plan().doubleScratch());
        assertThat(ExecutionTranslation.imported(read).defects()).as(program.name()).isEmpty();
      }
    }
    assertThat(said).isGreaterThan(70);
  }

  @Test
  void sizesOfOnePlanAreAWindow() throws IOException {
    Form form = shipped("push-allgather");
    Program small = Program.bind(form, 2, Map.of("B", 1024L));
    Program large = Program.bind(form, 2, Map.of("B", 4096L));
    ExportedPlan plan = ExportedPlan.of(List.of(large, small));
    assertThat(plan.plan().leastBytes()).isEqualTo(2048);
    assertThat(plan.plan().mostBytes()).isEqualTo(8192);
    Program other = Program.bind(form, 2, Map.of("B", 1L << 20));
    assertThatThrownBy(() -> ExportedPlan.of(List.of(small, other)))
        .hasMessageContaining("sizes with different plans: values={B=1024} and {B=1048576}");
    assertThatThrownBy(() -> ExportedPlan.of(Program.bind(form, 2, Map.of("B", 1000L))))
        .hasMessageContaining("size that an execution plan cannot cut");
    assertThatThrownBy(() -> ExportedPlan.of(Program.bind(form, 1, Map.of("B", 1024L))))
        .hasMessageContaining("ranks=1, min=2");
  }
}
