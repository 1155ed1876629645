package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.trace.StepFacts;
import dev.oriel.sim.trace.TraceEvent;
import dev.oriel.sim.trace.TraceEventKind;
import dev.oriel.sim.trace.TraceRecording;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The values of recorded steps, against programs whose values were computed by hand. */
class StepValuesTest {
  private static final String STREAM =
      """
      form stream
      param S <= 8
      scratch from[512]
      scratch ring[128]
      signal full[2]
      lane main(k < 2): sm(32) {
        let peer = 1 - r
        if r == 0 {
          for i < S {
            move ring@peer[64 * k + i * 8] <- from[i * 64] bytes 8
            signal full[k]@peer set (epoch - 1) * S + i + 1 release
          }
        } else {
          await full[k]@peer reached epoch * S acquire
        }
      }
      """;

  private static TraceRecording recording(
      String text, String world, int launches, Map<String, Long> params) {
    Topology topology = Topology.parse(world);
    Program program = Program.bind(FormParser.parse(text), topology.world(), params);
    return new Checker(Strategy.FIFO, Budget.DEFAULT, 1, Checker.strict(Profile.L2, launches))
        .first(program, topology);
  }

  private static List<TraceEvent> of(TraceRecording recording, String actor, String operation) {
    return recording.events().stream()
        .filter(event -> recording.actor(event).name().equals(actor))
        .filter(event -> event.facts().operation().startsWith(operation))
        .toList();
  }

  private static List<String> texts(List<TraceEvent> events) {
    return events.stream().map(TraceEvent::text).toList();
  }

  @Test
  void offsetsPeersAndEpochsAreNumbers() {
    TraceRecording stream = recording(STREAM, "1x2", 2, Map.of("S", 2L));
    assertThat(texts(of(stream, "r0.main[1]", "move")))
        .containsExactly(
            "move ring@1[64] <- from[0] bytes 8",
            "move ring@1[72] <- from[64] bytes 8",
            "move ring@1[64] <- from[0] bytes 8",
            "move ring@1[72] <- from[64] bytes 8");
    assertThat(texts(of(stream, "r0.main[1]", "signal")))
        .containsExactly(
            "signal full[1]@1 set 1 release",
            "signal full[1]@1 set 2 release",
            "signal full[1]@1 set 3 release",
            "signal full[1]@1 set 4 release");
  }

  @Test
  void loopsAndNamesHaveTheirValues() {
    TraceRecording stream = recording(STREAM, "1x2", 2, Map.of("S", 2L));
    StepFacts facts = of(stream, "r0.main[1]", "signal").get(3).facts();
    assertThat(facts.operation())
        .isEqualTo("signal full[k]@peer set (epoch - 1) * S + i + 1 release");
    assertThat(facts.loopText()).isEqualTo("k=1, i=1");
    assertThat(facts.nameText()).isEqualTo("k=1, i=1, peer=1, epoch=2, S=2");
  }

  /** A loop that is too long to be unrolled keeps its index in a register. */
  @Test
  void aLongLoopHasValuesToo() {
    String text =
        STREAM
            .replace("i < S", "i < 500 + S")
            .replace("from[i * 64]", "from[i % 8 * 64]")
            .replace("64 * k + i * 8", "64 * k")
            .replace("epoch * S acquire", "500 acquire");
    TraceRecording stream = recording(text, "1x2", 1, Map.of("S", 2L));
    TraceEvent last = of(stream, "r0.main[0]", "move").getLast();
    assertThat(last.text()).isEqualTo("move ring@1[0] <- from[320] bytes 8");
    assertThat(last.facts().loopText()).isEqualTo("k=0, i=501");
  }

  @Test
  void aWaitSaysWhatItRead() {
    TraceRecording stream = recording(STREAM, "1x2", 2, Map.of("S", 2L));
    List<TraceEvent> waits = of(stream, "r1.main[1]", "await");
    assertThat(texts(waits))
        .containsExactly("await full[1]@0 reached 2 acquire", "await full[1]@0 reached 4 acquire");
    assertThat(waits.stream().map(event -> event.facts().seenText()))
        .containsExactly("full[1]@0=2", "full[1]@0=4");
  }

  @Test
  void loadedWordsAreShownAndUsed() {
    TraceRecording loads =
        recording(
            """
            form loads
            scratch a[64]
            signal go[1]
            lane main: sm(32) {
              store a[8] <- 5
              sync
              load x <- a[8] <= 5 else 2
              store a[8 * x] width 4 <- x + 1
              signal go[0]@self add x release
              read y <- go[0]@self acquire
              check y == 5 else 3
            }
            """,
            "1x1",
            1,
            Map.of());
    assertThat(of(loads, "r0.main", "load").getFirst().facts().seenText()).isEqualTo("a[8]=5");
    assertThat(texts(of(loads, "r0.main", "store")))
        .containsExactly("store a[8] <- 5", "store a[40] width 4 <- 6");
    assertThat(texts(of(loads, "r0.main", "signal"))).containsExactly("signal go[0] add 5 release");
    StepFacts read = of(loads, "r0.main", "read").getFirst().facts();
    assertThat(read.seenText()).isEqualTo("go[0]@0=5");
    assertThat(read.kind()).isEqualTo(TraceEventKind.READ);
  }

  /** Several sources of one await, in the order of the ranks. */
  @Test
  void anAwaitOfPeersReadsOneWordOfEach() {
    TraceRecording all =
        recording(
            """
            form all
            signal S[1]
            lane main: sm(32) {
              signal S[0]@peers set 10 * epoch + r release
              await S[0]@peers reached 10 * epoch acquire
            }
            """,
            "1x3",
            1,
            Map.of());
    assertThat(of(all, "r1.main", "await").getFirst().facts().seenText())
        .isEqualTo("S[0]@0=10, S[0]@2=12");
  }

  @Test
  void aMoveFromAPeerIsARead() {
    TraceRecording moves =
        recording(
            """
            form moves
            scratch a[8]
            scratch b[8]
            barrier met
            lane main: sm(32) {
              move a[0] <- b@((r + 1) % n)[0] bytes 8
              barrier met
              move b@((r + 1) % n)[0] <- a[0] bytes 8
              barrier met
              move a[0] <- b[0] bytes 8
              meet met
            }
            """,
            "1x2", 1, Map.of());
    assertThat(of(moves, "r0.main", "move").stream().map(TraceEvent::kind))
        .containsExactly(TraceEventKind.READ, TraceEventKind.WRITE, TraceEventKind.WRITE);
  }

  /** Requests keep the words of the operation that posted them. */
  @Test
  void stepsOfAQueueAreReportedInTheProgramsWords() {
    TraceRecording stream = recording(STREAM, "2x1", 1, Map.of("S", 1L));
    List<String> queue = new ArrayList<>();
    for (TraceEvent event : stream.events()) {
      if (stream.actor(event).name().startsWith("r0.main[1] to 1")) {
        queue.add(event.text());
      }
    }
    assertThat(queue)
        .contains(
            "fetch for move ring@1[64] <- from[0] bytes 8",
            "write for move ring@1[64] <- from[0] bytes 8",
            "write for signal full[1]@1 set 1 release");
    assertThat(texts(of(stream, "r0.main[1]", "move")))
        .containsExactly("post move ring@1[64] <- from[0] bytes 8");
  }

  /** A barrier is several steps: each says which word it writes or awaits. */
  @Test
  void thePartsOfACallAreNamed() {
    TraceRecording met =
        recording(
            """
            form met
            barrier all_in
            lane main: sm(32) {
              barrier all_in
            }
            """,
            "1x2",
            1,
            Map.of());
    assertThat(texts(of(met, "r0.main", "barrier")))
        .containsExactly(
            "barrier all_in: signal all_in[0]@1 set 1 release",
            "barrier all_in: await all_in[0]@peers reached 1 acquire");
  }

  @Test
  void launchesHaveBoundaries() {
    TraceRecording stream = recording(STREAM, "1x2", 2, Map.of("S", 1L));
    assertThat(
            stream.events().stream()
                .filter(event -> stream.actor(event).name().equals("r0.caller"))
                .map(TraceEvent::text))
        .containsExactly(
            "prepares and starts launch 1",
            "reads the outputs of launch 1, prepares and starts launch 2",
            "reads the outputs of launch 2");
  }

  @Test
  void everyOperationHasItsLineOfThePrintedProgram() {
    TraceRecording stream = recording(STREAM, "1x2", 1, Map.of("S", 2L));
    TraceEvent move = of(stream, "r0.main[1]", "move").getFirst();
    int line = stream.source().line(move);
    assertThat(stream.source().text(line))
        .isEqualTo("move ring@peer[64 * k + i * 8] <- from[i * 64] bytes 8");
    assertThat(stream.facts(move))
        .containsExactly(
            "line " + line + ": move ring@peer[64 * k + i * 8] <- from[i * 64] bytes 8",
            "values: k=1, i=0, peer=1");
  }
}
