package dev.oriel.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.Outcome;
import dev.oriel.ports.Outcome.Done;
import dev.oriel.ports.Outcome.Failed;
import dev.oriel.ports.Outcome.TimedOut;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The requirements on every {@link Executor} that runs puts, gets, atomics, locks and waits for
 * words: its results equal those that {@link DrawnCalls} computes, on any machine.
 */
public abstract class OneSidedContract {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final int LAUNCHES = 3;

  private final List<Executor> opened = new ArrayList<>();
  private final List<Prepared> prepared = new ArrayList<>();

  /** New executors that together host every rank of {@code topology}. */
  protected abstract List<Executor> open(Topology topology, FabricListener listener);

  /** A world of that many ranks; by default GPUs of one host. */
  protected Topology topology(int world) {
    return Topology.grid(1, world);
  }

  /** The number of programs drawn for each world. */
  protected int drawn() {
    return Thorough.count(4, 12);
  }

  /** How often each rank changes a word that all ranks change. */
  protected int turns() {
    return 40;
  }

  @AfterEach
  final void closeAll() {
    prepared.forEach(Prepared::close);
    opened.forEach(Executor::close);
    prepared.clear();
    opened.clear();
  }

  private Prepared prepare(Program program) {
    Topology topology = topology(program.world());
    List<Executor> executors = open(topology, FabricListener.NONE);
    opened.addAll(executors);
    Prepared instances = new Prepared(executors, program, topology);
    prepared.add(instances);
    return instances;
  }

  private Prepared prepare(String text, int world, Map<String, Long> parameters) {
    return prepare(Program.bind(FormParser.parse(text), world, parameters));
  }

  private static byte[] words(long... words) {
    ByteBuffer bytes = ByteBuffer.allocate(8 * words.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(words);
    return bytes.array();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void drawnCallsLeaveWhatTheySay(int world) {
    for (int seed = 0; seed < drawn(); seed++) {
      drawnCallsLeaveWhatTheySay(DrawnCalls.draw(world, 1000L * world + seed), seed);
      closeAll();
    }
  }

  private void drawnCallsLeaveWhatTheySay(DrawnCalls calls, int seed) {
    Prepared instances = prepare(calls.program());
    SplittableRandom inputs = new SplittableRandom(seed);
    for (int launch = 1; launch <= LAUNCHES; launch++) {
      var left = calls.next(instances, inputs);
      SortedMap<Integer, Outcome> outcomes = instances.launch(LONG);
      assertThat(outcomes.values()).as(calls.form()).containsOnly(new Done());
      left.forEach((rank, buffers) ->
          buffers.forEach((buffer, bytes) ->
              assertThat(instances.read(rank, buffer))
                  .as("seed=%d, rank=%d, buffer=%s of %s", seed, rank, buffer, calls.form())
                  .isEqualTo(bytes)));
    }
  }

  /** Two lanes of every rank, those of the word's owner included, add at the same time. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void noAdditionIsLost(int world) {
    Prepared instances =
        prepare(
            """
            form added
            param N <= 100000
            scratch total[8]
            output out[8]
            barrier all_in
            lane adder(i < 2): sm(32) {
              for t < N { atomic total@(0)[0] add 1 }
              quiet
            }
            lane main: sm(32) {
              join adder
              barrier all_in
              load x <- total[0]
              store out[0] <- x
              barrier all_in
            }
            """,
            world,
            Map.of("N", (long) turns()));
    for (long launch = 1; launch <= LAUNCHES; launch++) {
      assertThat(instances.launch(LONG).values()).containsOnly(new Done());
      assertThat(instances.read(0, "out")).isEqualTo(words(launch * 2 * world * turns()));
    }
  }

  /** Includes lanes of the word's owner, and a lock that is taken again at once. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void guardedChangesAreSerialised(int world) {
    Prepared instances =
        prepare(
            """
            form guarded
            param N <= 100000
            scratch guard[8]
            scratch total[8]
            scratch mine[16]
            output out[8]
            barrier all_in
            lane adder(i < 2): sm(32) {
              for t < N {
                lock guard@(0)[0]
                get mine[8 * i] <- total@(0)[0] bytes 8
                load x <- mine[8 * i]
                store mine[8 * i] <- x + 1
                put total@(0)[0] <- mine[8 * i] bytes 8
                unlock guard@(0)[0]
              }
            }
            lane main: sm(32) {
              join adder
              barrier all_in
              load x <- total[0]
              store out[0] <- x
              barrier all_in
            }
            """,
            world,
            Map.of("N", (long) turns() / 4));
    for (long launch = 1; launch <= LAUNCHES; launch++) {
      assertThat(instances.launch(LONG).values()).containsOnly(new Done());
      assertThat(instances.read(0, "out")).isEqualTo(words(launch * 2 * world * (turns() / 4)));
    }
  }

  /** One read waits for what comes, the other for what never comes. */
  @Test
  void aReadWaitsForALimitedTime() {
    Prepared instances =
        prepare(
            """
            form limited
            output seen[32]
            scratch flag[16]
            signal S[2]
            lane main: sm(32) {
              atomic flag@((r + 1) % n)[0] add 1
              signal S[0]@((r + 1) % n) set epoch release
              read there <- S[0]@((r - 1) % n) acquire until reached epoch within 30s
              read absent <- S[1]@((r - 1) % n) acquire until reached epoch within 1ms
              load added <- flag[0] acquire until >= epoch within 30s
              load kept <- flag[8] relaxed until == 1 within 1ms
              store seen[0] <- there
              store seen[8] <- absent
              store seen[16] <- min(added, epoch)
              store seen[24] <- kept
            }
            """,
            2, Map.of());
    for (long launch = 1; launch <= LAUNCHES; launch++) {
      assertThat(instances.launch(LONG).values()).containsOnly(new Done());
      assertThat(instances.read(0, "seen")).isEqualTo(words(launch, 0, launch, 0));
      assertThat(instances.read(1, "seen")).isEqualTo(words(launch, 0, launch, 0));
    }
  }

  /** More bytes than an interface moves in one request, in each direction. */
  @Test
  void longTransfersArriveWhole() {
    long bytes = 3_000_000;
    Prepared instances =
        prepare(
            """
            form long_transfers
            param B <= 4000000
            input in[B]
            output out[B]
            output back[B]
            scratch box[B]
            signal S[1]
            barrier all_in
            ensure out[0] = in@((r + n - 1) % n)[0] bytes B
            ensure back[0] = in[0] bytes B
            lane main: sm(32) {
              let to = (r + 1) % n
              put box@to[0] <- in[0] bytes B notify S[0] set epoch nb
              await S[0]@((r + n - 1) % n) reached epoch acquire
              move out[0] <- box[0] bytes B
              get back[0] <- box@to[0] bytes B
              barrier all_in
            }
            """,
            2, Map.of("B", bytes));
    SplittableRandom random = new SplittableRandom(7);
    for (int launch = 1; launch <= LAUNCHES; launch++) {
      // A rank that overwrites a box awaits its reader: the barrier at the end of the previous
      // launch.
      Promise promise = Promise.make(instances, random);
      assertThat(instances.launch(LONG).values()).containsOnly(new Done());
      promise.check("launch=" + launch);
    }
  }

  /** Includes calls to invalid ranks: the data that name them were not checked. */
  @Test
  void aFailedLaneMakesNoCallsAndStillNotifiesAndMeets() {
    Prepared instances =
        prepare(
            """
            form failing
            input in[8]
            input way[8]
            output out[8]
            output old[8]
            output back[8]
            scratch guard[8]
            scratch tally[8]
            scratch done[8]
            window box[16]
            signal S[1]
            barrier all_in
            lane main: sm(32) {
              let to = (r + 1) % n
              load p <- way[0] <= 100 else 8
              check p < n else 9
              lock guard@p[0]
              unlock guard@p[0]
              put box@to[0] <- in[0] bytes 8 notify S[0] set epoch
              put box@p[8] <- in[0] bytes 8 counter done[0]
              wait done[0] reached epoch acquire
              get back[0] <- box@p[0] bytes 8
              atomic old[0] <- tally@p[0] add 1
              await S[0]@to reached epoch acquire
              barrier all_in
              move out[0] <- box[0] bytes 8
              barrier all_in
            }
            """,
            2, Map.of());
    for (int rank = 0; rank < 2; rank++) {
      instances.write(rank, "in", words(rank == 0 ? 13 : 5));
      instances.write(rank, "way", words(rank == 0 ? 13 : 0));
      instances.write(rank, "out", words(77));
      instances.write(rank, "old", words(77));
      instances.write(rank, "back", words(77));
    }
    assertThat(instances.launch(LONG)).isEqualTo(Map.of(0, new Failed(9), 1, new Done()));
    assertThat(instances.read(0, "old")).isEqualTo(words(77));
    assertThat(instances.read(0, "back")).as("no get of a failed lane").isEqualTo(words(77));
    assertThat(instances.read(1, "back")).isEqualTo(words(5));
    assertThat(instances.read(0, "box")).isEqualTo(words(5, 5));
    assertThat(instances.read(1, "out")).as("no put of a failed lane").isEqualTo(words(0));
    assertThat(instances.read(1, "old")).isEqualTo(words(0));
    assertThat(instances.read(1, "tally")).as("no atomic of a failed lane").isEqualTo(words(0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lock guard@(0)[0]",
        "wait guard[0] == 7 acquire",
        "wait guard[0] == 7 relaxed",
        "atomic guard@(0)[0] add 0 \n wait guard[0] == 7 acquire"
      })
  void aWaitWithoutEndIsEndedByTheDeadlineAndNamed(String waits) {
    Prepared instances =
        InVain.waited(
                SHORT,
                passing -> {
                  Prepared made =
                      prepare(
                          """
                          form in_vain
                          scratch guard[8]
                          signal S[1]
                          lane main: sm(32) {
                            if r == 0 {
                              lock guard@(0)[0]
                              signal S[0]@(1) set epoch release
                            }
                            if r == 1 {
                              await S[0]@(0) reached epoch acquire
                              %s
                            }
                          }
                          """
                              .formatted(waits),
                          2,
                          Map.of());
                  return new Launched(made, made.launch(passing));
                },
                first -> first.outcomes().get(0) instanceof Done)
            .ended();
    assertThat(instances.read(0, "guard")).isEqualTo(words(1));
  }

  /** Instances after a launch, and its outcomes. */
  private record Launched(Prepared instances, SortedMap<Integer, Outcome> outcomes) {
    Prepared ended() {
      assertThat(outcomes.get(1))
          .isInstanceOfSatisfying(TimedOut.class, o -> assertThat(o.waiting()).contains("rank=1"));
      return instances;
    }
  }
}
