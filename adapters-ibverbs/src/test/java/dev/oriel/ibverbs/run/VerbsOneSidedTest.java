package dev.oriel.ibverbs.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.Outcome;
import dev.oriel.ports.contract.OneSidedContract;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One-sided calls on the fake device, whose atomics pause between load and store: a concurrent
 * change of the word by any other means than the device is lost.
 */
final class VerbsOneSidedTest {
  private static final FakeVerbs VERBS = new FakeVerbs();
  private static final FakeVerbs LATE = new FakeVerbs();

  static {
    VERBS.slowAtomics();
    LATE.late();
  }

  @AfterAll
  static void nothingIsLeft() {
    assertThat(VERBS.live()).isEmpty();
    assertThat(LATE.live()).isEmpty();
  }

  /**
   * A processor's change of a word is not atomic for an interface, whichever rank owns the word.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | atomic word@(0)[0] add 1",
        "1 | atomic word@(0)[0] cas 7, 1",
        "1 | lock word@(0)[0]",
        "2 | lock word@(0)[0] store word[0] <- 5 release",
        "1 | atomic word@(0)[0] add 1 load x <- word[0] acquire",
        "0 | atomic word@(0)[0] set 1 store word[0] <- 2 release",
        "0 | atomic word[0] add 1"
      })
  void ownWordsThatPeersMightChangeAreChangedByTheInterface(int atomics, String calls) {
    Program program =
        Program.bind(
            FormParser.parse("form own scratch word[8] lane main: sm(32) { %s }".formatted(calls)),
            1,
            Map.of());
    FakeVerbs verbs = new FakeVerbs();
    try (Executor executor = TestExecutors.alone(verbs, FabricListener.NONE);
        Executor.Instance instance = executor.prepare(program, Topology.grid(1, 1))) {
      assertThat(instance.launch(Duration.ofSeconds(40))).containsExactly(new Outcome.Done());
    }
    assertThat(verbs.atomics()).isGreaterThanOrEqualTo(atomics);
    assertThat(verbs.atomics() > 0).isEqualTo(atomics > 0);
  }

  /**
   * Ranks that reach each other over the network, on one thread: rounds always have the same order.
   */
  private static <T> T launched(
      FakeVerbs verbs,
      VerbsSettings settings,
      Program program,
      Consumer<Executor.Instance> before,
      Function<Executor.Instance, T> after) {
    try (Executor executor =
            new VerbsExecutor(
                List.of(verbs.open()),
                ProcessGroup.ALONE,
                settings,
                FabricListener.NONE,
                System::nanoTime);
        Executor.Instance instance = executor.prepare(program, Topology.grid(program.world(), 1))) {
      before.accept(instance);
      assertThat(instance.launch(Duration.ofSeconds(40))).containsOnly(new Outcome.Done());
      return after.apply(instance);
    }
  }

  /** In each direction, with a signal after the last piece. */
  @Test
  void transfersLargerThanTheQueueAreSplit() {
    int bytes = 9_000_001;
    Program program =
        Program.bind(
            FormParser.parse(
                """
                form long_transfers
                param B <= 10000000
                input in[B]
                output out[B]
                output back[B]
                scratch box[B]
                signal S[1]
                barrier all_in
                lane main: sm(32) {
                  let to = (r + 1) % n
                  put box@to[0] <- in[0] bytes B notify S[0] set epoch nb
                  await S[0]@((r + n - 1) % n) reached epoch acquire
                  move out[0] <- box[0] bytes B
                  get back[0] <- box@to[0] bytes B
                  barrier all_in
                }
                """),
            2,
            Map.of("B", (long) bytes));
    byte[] in = new byte[bytes];
    new SplittableRandom(11).nextBytes(in);
    VerbsSettings shallow = new VerbsSettings("", 1, -1, 4, 1, VerbsSettings.USUAL.retry());
    FakeVerbs verbs = new FakeVerbs();
    List<byte[]> left =
        launched(
            verbs,
            shallow,
            program,
            instance -> instance.write(0, "in", 0, in),
            instance ->
                List.of(instance.read(1, "out", 0, bytes), instance.read(0, "back", 0, bytes)));
    assertThat(left).containsExactly(in, in);
    assertThat(verbs.live()).isEmpty();
  }

  /** A failed attempt leaves the queue, and the word, to others for longer and longer. */
  @Test
  void aWaitForALockBacksOff() {
    Program program =
        Program.bind(
            FormParser.parse(
                """
                form waiting
                scratch guard[8]
                scratch mine[24]
                scratch held[8]
                lane holder: sm(32) {
                  if r == 1 {
                    lock guard@(0)[0]
                    for t < 1000 { get mine[0] <- held@(0)[0] bytes 8 }
                    unlock guard@(0)[0]
                  }
                }
                lane waiter(i < 2): sm(32) {
                  if r == 1 {
                    for t < 3 { get mine[8 * i + 8] <- held@(0)[0] bytes 8 }
                    lock guard@(0)[0]
                    unlock guard@(0)[0]
                  }
                }
                """),
            2,
            Map.of());
    FakeVerbs verbs = new FakeVerbs();
    int atomics = launched(verbs, VerbsSettings.USUAL, program, _ -> {}, _ -> verbs.atomics());
    assertThat(atomics).isBetween(2 * 3 + 2, 150);
    assertThat(verbs.live()).isEmpty();
  }

  /** Each rank on a thread of its own. */
  @Nested
  final class Apart extends VerbsOneSidedContract {
    @Override
    protected List<DeviceContext> devices(int rank) {
      return List.of(VERBS.open());
    }
  }

  /** Each rank with two interfaces. */
  @Nested
  final class Railed extends VerbsOneSidedContract {
    @Override
    protected List<DeviceContext> devices(int rank) {
      return List.of(VERBS.open(), VERBS.open());
    }
  }

  /** Writes are reported before they are placed. */
  @Nested
  final class Late extends VerbsOneSidedContract {
    @Override
    protected List<DeviceContext> devices(int rank) {
      return List.of(LATE.open());
    }
  }

  /** All ranks on one thread. */
  @Nested
  final class Together extends OneSidedContract {
    @Override
    protected Topology topology(int world) {
      return Topology.grid(world, 1);
    }

    @Override
    protected List<Executor> open(Topology topology, FabricListener listener) {
      return List.of(TestExecutors.alone(VERBS, listener));
    }
  }
}
