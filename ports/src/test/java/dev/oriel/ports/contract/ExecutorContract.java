package dev.oriel.ports.contract;

import static dev.oriel.ports.contract.RankThreads.all;
import static dev.oriel.ports.contract.RankThreads.failures;
import static dev.oriel.ports.contract.RankThreads.start;
import static dev.oriel.ports.contract.RankThreads.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.placement.BufferOffsets;
import dev.oriel.domain.placement.InPlace;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.rewrite.ReductionEdits;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Outcome;
import dev.oriel.ports.Outcome.Aborted;
import dev.oriel.ports.Outcome.Done;
import dev.oriel.ports.Outcome.Failed;
import dev.oriel.ports.Outcome.TimedOut;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The requirements on every {@link Executor}, whether one process hosts the world or each rank has
 * its own: the suite calls all executors of a world at once.
 */
public abstract class ExecutorContract {
  /** Abilities that an implementation may lack. */
  public enum Capability {
    /** Refuses a second thread while a launch runs. */
    REFUSES_CONCURRENT_USE
  }

  private static final Duration LONG = Duration.ofSeconds(40);
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final int LAUNCHES = 3;

  private final Set<Capability> lacking;
  private final Recorder recorder = new Recorder();
  private final List<Executor> opened = new ArrayList<>();
  private final List<Prepared> prepared = new ArrayList<>();

  /** A suite for an implementation that lacks the named capabilities. */
  protected ExecutorContract(Set<Capability> lacking) {
    this.lacking = lacking;
  }

  /** New executors that together host every rank of {@code topology}. */
  protected abstract List<Executor> open(Topology topology, FabricListener listener);

  /** A world of that many ranks; by default GPUs of one host. */
  protected Topology topology(int world) {
    return Topology.grid(1, world);
  }

  /** The largest world to try, at most 5. */
  protected int largestWorld() {
    return 5;
  }

  /** Whether programs run in worlds of that size: all that fit, unless a machine is very slow. */
  protected boolean delivers(int world) {
    return world <= largestWorld();
  }

  /** The largest bytes per rank for collectives; more would only take longer. */
  protected long large() {
    return 40_000;
  }

  /** Bytes per rank for tests with callers' memory at any address. */
  protected List<Long> sizesElsewhere() {
    return List.of(0L, 4L, 1004L);
  }

  /** The bytes that the machine holds for this process, if their exact number is known. */
  protected OptionalLong held() {
    return OptionalLong.empty();
  }

  @AfterEach
  final void closeAll() {
    prepared.forEach(Prepared::close);
    opened.forEach(Executor::close);
  }

  private List<Executor> executors(int world) {
    assumeTrue(world <= largestWorld(), () -> "largest world: " + largestWorld());
    List<Executor> executors = open(topology(world), recorder);
    opened.addAll(executors);
    return executors;
  }

  private Prepared prepare(Program program) {
    return prepare(executors(program.world()), program);
  }

  private Prepared prepare(List<Executor> executors, Program program) {
    Prepared instances = new Prepared(executors, program, topology(program.world()));
    prepared.add(instances);
    return instances;
  }

  private static Program shipped(String name, int world, long bytes) {
    Form form = ShippedPrograms.form(name);
    return Program.bind(form, world, ShippedPrograms.params(form, bytes, 2));
  }

  static Stream<Arguments> shippedPrograms() {
    Map<String, List<Long>> sizes =
        Map.of(
            "ll_all_gather", List.of(0L, 1L, 7L, 4097L, 65536L),
            "ring_send_recv", List.of(0L, 1L, 40_001L, 600_001L));
    return ShippedPrograms.NAMES.stream()
        .flatMap(name ->
            IntStream.rangeClosed(1, 5)
                .boxed()
                .flatMap(world ->
                    sizes.getOrDefault(name, List.of(0L, 1L, 1001L)).stream()
                        .map(bytes -> Arguments.of(name, world, bytes))));
  }

  static Stream<Arguments> collectives() {
    return Stream.of(
            ShippedPrograms.REDUCING,
            ShippedPrograms.ROOTED,
            ShippedPrograms.HOOKED,
            ShippedPrograms.COUNTED)
        .flatMap(List::stream)
        .flatMap(name ->
            IntStream.rangeClosed(1, 5)
                .boxed()
                .flatMap(world ->
                    Stream.of(0L, 4L, 1004L, Long.MAX_VALUE)
                        .map(bytes -> Arguments.of(name, world, bytes))));
  }

  /** Sums are promised to the bit, including NaNs and infinities. */
  @ParameterizedTest
  @MethodSource("collectives")
  @Sampled(every = 10)
  void collectivesSatisfyTheirPostConditions(String name, int world, long most) {
    Form form = ShippedPrograms.form(name);
    long bytes = Math.min(most, large());
    delivers(Program.bind(form, world, ShippedPrograms.params(form, bytes, 2)), bytes);
  }

  /** Hooks produce and consume elements of packets, also where a lane has none. */
  @ParameterizedTest
  @CsvSource({
    "pkt8, 1, 1001",
    "pkt8, 2, 1001",
    "pkt16, 2, 1001",
    "pkt16, 2, 0",
    "pkt16, 3, 3",
    "line128, 2, 1001",
    "line128, 3, 16384"
  })
  void hooksOnPacketsSatisfyTheirPostConditions(String format, int world, long elements) {
    assumeTrue(
        !format.equals("line128") || mapped(topology(world)),
        "a line of 128 bytes may arrive in parts over RDMA");
    delivers(Program.bind(HookedPackets.form(format), world, Map.of("B", elements)), elements);
  }

  /**
   * Sizes in pieces of a unit's ring: less than one, whole ones, more than the ring has, and
   * several lanes.
   */
  @ParameterizedTest
  @CsvSource({
    "PUSH, 1, 4096",
    "PUSH, 2, 0",
    "PUSH, 2, 16",
    "PUSH, 2, 16384",
    "PUSH, 2, 82000",
    "PUSH, 2, 1048576",
    "PUSH, 3, 98320",
    "PULL, 2, 4112",
    "PULL, 3, 200000",
    "STAGED, 2, 4112",
    "STAGED, 3, 200000"
  })
  void bulkCopiesSatisfyTheirPostConditions(BulkGather gather, int world, long bytes) {
    assumeTrue(
        mapped(topology(Math.max(2, world))), "bulk-copy units reach memory that a link maps");
    delivers(Program.bind(gather.form(), world, Map.of("B", bytes)), bytes);
  }

  private static boolean mapped(Topology topology) {
    return IntStream.range(0, topology.world())
        .allMatch(peer -> topology.kind(0, peer) != PeerKind.RDMA);
  }

  static Stream<Arguments> reductions() {
    Map<DataType, List<ReduceOp>> kinds = new EnumMap<>(DataType.class);
    kinds.put(DataType.BF16, List.of(ReduceOp.SUM, ReduceOp.MAX));
    kinds.put(DataType.FP16, List.of(ReduceOp.SUM, ReduceOp.AVG));
    kinds.put(DataType.FP32, List.of(ReduceOp.MIN, ReduceOp.PROD, ReduceOp.AVG));
    kinds.put(DataType.FP64, List.of(ReduceOp.SUM));
    kinds.put(DataType.INT8, List.of(ReduceOp.SUM));
    kinds.put(DataType.INT16, List.of(ReduceOp.MIN));
    kinds.put(DataType.INT32, List.of(ReduceOp.AVG));
    kinds.put(DataType.INT64, List.of(ReduceOp.PROD));
    return kinds.entrySet().stream()
        .flatMap(kind -> kind.getValue().stream().map(op -> List.of(op, kind.getKey())))
        .flatMap(pair ->
            Stream.of("ll_all_reduce", "direct_reduce_scatter")
                .flatMap(name ->
                    Stream.of(2, 3)
                        .map(world -> Arguments.of(name, world, pair.get(0), pair.get(1)))));
  }

  /** Other elements and operators: those that a launch rounds and those that it cannot. */
  @ParameterizedTest
  @MethodSource("reductions")
  @Sampled(every = 5)
  void reductionsOfEveryKindSatisfyTheirPostConditions(
      String name, int world, ReduceOp op, DataType type) {
    Form form = ReductionEdits.with(ShippedPrograms.form(name), op, type);
    delivers(Program.bind(form, world, Map.of("B", 1016L)), world);
  }

  @ParameterizedTest
  @MethodSource("shippedPrograms")
  @Sampled(every = 10)
  void shippedProgramsSatisfyTheirPostConditions(String name, int world, long bytes) {
    delivers(shipped(name, world, bytes), bytes);
  }

  /** In one buffer, and with bases that are only multiples of an element. */
  @ParameterizedTest
  @CsvSource({
    "push_all_gather, true, 0, 0",
    "push_all_gather, true, 0, 7",
    "push_all_gather, false, 4, 12",
    "ll_all_gather, true, 0, 3",
    "ll_all_gather, false, 1, 8",
    "ll_all_to_all, true, 0, 5",
    "ring_send_recv, false, 12, 4",
    "ll_send_recv, true, 0, 1",
    "direct_broadcast, true, 0, 9",
    "direct_gather, true, 0, 2",
    "direct_scatter, true, 0, 4",
    "ring_all_reduce, true, 0, 4",
    "ring_all_reduce, false, 4, 8",
    "two_shot_all_reduce, true, 0, 12",
    "tree_all_reduce, true, 0, 0",
    "direct_reduce_scatter, true, 0, 4",
    "halving_reduce_scatter, true, 0, 8",
    "all_to_all_v, false, 8, 24"
  })
  void callersMemoryMayHaveAnyAddress(String name, boolean inPlace, long input, long output) {
    Form form = ShippedPrograms.form(name);
    Form placed = inPlace ? InPlace.of(form) : form;
    Map<String, Long> offsets = new TreeMap<>();
    placed.buffers().stream()
        .filter(b -> b.space().callers())
        .forEach(b -> offsets.put(b.name(), b.space().taken() ? output : input));
    Form moved = BufferOffsets.of(placed, offsets);
    for (long bytes : sizesElsewhere()) {
      delivers(Program.bind(moved, 3, ShippedPrograms.params(moved, bytes, 2)), bytes);
    }
  }

  private void delivers(Program program, long bytes) {
    String name = program.form().name();
    int world = program.world();
    assumeTrue(delivers(world), () -> "what programs deliver is not tried: world=" + world);
    Prepared instances = prepare(program);
    SplittableRandom random = new SplittableRandom(31 * bytes + world);
    for (int launch = 1; launch <= LAUNCHES; launch++) {
      Promise promise = Promise.make(instances, random);
      assertThat(instances.launch(LONG).values()).hasSize(world).containsOnly(new Done());
      promise.check(name + ", world=" + world + ", bytes=" + bytes + ", launch=" + launch);
    }
  }

  @Test
  void everyRankIsHostedOnceInAscendingOrder() {
    Prepared instances = prepare(shipped("ll_all_gather", 3, 8));
    assertThat(instances.instances().stream().flatMap(i -> i.ranks().stream()).toList())
        .containsExactlyInAnyOrder(0, 1, 2);
    assertThat(instances.instances()).allSatisfy(i -> assertThat(i.ranks()).isSorted());
  }

  @Test
  void instancesOfOneProgramShareNothing() {
    List<Executor> executors = executors(2);
    Program program = shipped("ring_send_recv", 2, 1000);
    Prepared one = prepare(executors, program);
    Prepared two = prepare(executors, program);
    SplittableRandom random = new SplittableRandom(5);
    Promise first = Promise.make(one, random);
    Promise second = Promise.make(two, random);
    assertThat(two.launch(LONG).values()).containsOnly(new Done());
    assertThat(one.launch(LONG).values()).containsOnly(new Done());
    second.check("second");
    two.close();
    first.check("first");
    assertThat(one.launch(LONG).values()).containsOnly(new Done());
  }

  @Test
  void bytesAreWrittenAndReadWhereTheyBelong() {
    Prepared instances = prepare(shipped("ll_all_gather", 2, 10));
    byte[] mine = {1, 2, 3, 4};
    instances.write(1, "in", new byte[10]);
    instances.host(1).write(1, "in", 3, mine);
    mine[0] = 9;
    byte[] whole = instances.read(1, "in");
    assertThat(whole).containsExactly(0, 0, 0, 1, 2, 3, 4, 0, 0, 0);
    whole[3] = 9;
    assertThat(instances.host(1).read(1, "in", 3, 2)).containsExactly(1, 2);
    assertThat(instances.host(1).read(1, "in", 10, 0)).isEmpty();
  }

  @Test
  void bytesOutsideABufferAreRefusedAndNothingIsWritten() {
    Prepared instances = prepare(shipped("ll_all_gather", 2, 10));
    Executor.Instance host = instances.host(0);
    instances.write(0, "in", new byte[10]);
    List<Runnable> wrong =
        List.of(
            () -> host.write(0, "in", 8, new byte[] {1, 2, 3}),
            () -> host.write(0, "in", -1, new byte[] {1}),
            () -> host.write(0, "in", Long.MAX_VALUE, new byte[] {1}),
            () -> host.read(0, "in", 0, 11),
            () -> host.read(0, "in", 1L << 32, 1),
            () -> host.read(0, "in", 0, -1),
            () -> host.read(7, "in", 0, 1),
            () -> host.write(-1, "in", 0, new byte[1]));
    assertThat(wrong)
        .allSatisfy(call ->
            assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(call::run));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> host.read(0, "nothing", 0, 1))
        .withMessageContaining("nothing");
    assertThat(instances.read(0, "in")).containsOnly(0);
  }

  @Test
  void aFailedCheckAffectsItsRankOnly() {
    Prepared instances = prepare(ContractPrograms.checks(3));
    assertThat(launchChecked(instances, 1, 1, 13))
        .isEqualTo(Map.of(0, new Done(), 1, new Done(), 2, new Failed(9)));
    assertThat(instances.read(2, "out")).as("nothing is written after a check").containsOnly(-1);
    assertThat(instances.read(1, "out")).isEqualTo(word(1));
    assertThat(launchChecked(instances, -1, 101, 100))
        .isEqualTo(Map.of(0, new Failed(7), 1, new Failed(7), 2, new Done()));
    assertThat(launchChecked(instances, 2, 3, 4).values()).containsOnly(new Done());
    assertThat(instances.read(2, "out")).isEqualTo(word(4));
  }

  private static SortedMap<Integer, Outcome> launchChecked(Prepared instances, long... words) {
    byte[] poison = new byte[16];
    Arrays.fill(poison, (byte) -1);
    for (int rank = 0; rank < words.length; rank++) {
      instances.write(rank, "in", word(words[rank]));
      instances.write(rank, "out", poison);
    }
    return instances.launch(LONG);
  }

  private static byte[] word(long value) {
    return ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }

  /** Instances after a launch, and its outcomes. */
  private record Launched(Prepared instances, SortedMap<Integer, Outcome> outcomes) {}

  @Test
  void aDeadlineEndsAWaitWithoutEndAndNamesIt() {
    Launched launched =
        InVain.waited(
            SHORT,
            passing -> {
              Prepared instances = prepare(ContractPrograms.waitsForEver(2));
              return new Launched(instances, instances.launch(passing));
            },
            first -> first.outcomes().get(0) instanceof Done);
    assertThat(launched.outcomes().get(0)).isEqualTo(new Done());
    assertThat(launched.outcomes().get(1))
        .isInstanceOfSatisfying(TimedOut.class, o -> assertThat(o.waiting()).contains("rank=1"));
    SortedMap<Integer, Outcome> later = launched.instances().launch(SHORT);
    assertThat(later.get(1)).as("a poisoned instance").isInstanceOf(Aborted.class);
  }

  @Test
  void aDeadlineEndsALaunchThatIsBusy() {
    Prepared instances = prepare(ContractPrograms.takesTurns(2));
    assertThat(instances.launch(SHORT).values())
        .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(TimedOut.class));
  }

  @Test
  void deadlinesWithoutTimeAreRefusedAndEndlessOnesAreNot() {
    Prepared instances = prepare(shipped("ll_all_gather", 2, 3));
    for (Executor.Instance instance : instances.instances()) {
      assertThatIllegalArgumentException().isThrownBy(() -> instance.launch(Duration.ZERO));
      assertThatIllegalArgumentException().isThrownBy(() -> instance.launch(Duration.ofNanos(-1)));
    }
    assertThat(instances.launch(Duration.ofSeconds(Long.MAX_VALUE)).values())
        .containsOnly(new Done());
    assertThat(recorder.of(0)).hasSize(2);
  }

  @Test
  void anAbortFromAnotherThreadEndsALaunchAndEveryLaterOne() {
    Prepared instances = prepare(ContractPrograms.takesTurns(2));
    CompletableFuture<SortedMap<Integer, Outcome>> running =
        start(instances, world -> world.launch(LONG));
    awaitPosted();
    instances.abort("enough");
    instances.abort("too late");
    assertThat(value(running).values()).containsOnly(new Aborted("enough"));
    assertThat(instances.launch(LONG).values()).containsOnly(new Aborted("enough"));
  }

  @Test
  void anAbortBeforeALaunchHoldsForIt() {
    Prepared instances = prepare(shipped("ring_send_recv", 2, 100));
    instances.abort("not today");
    assertThat(instances.launch(LONG).values()).containsOnly(new Aborted("not today"));
  }

  @Test
  void oneThreadAtATimeUsesAnInstance() {
    assumeTrue(
        !lacking.contains(Capability.REFUSES_CONCURRENT_USE),
        "the implementation lacks REFUSES_CONCURRENT_USE");
    Prepared instances = prepare(ContractPrograms.takesTurns(2));
    CompletableFuture<SortedMap<Integer, Outcome>> running =
        start(instances, world -> world.launch(LONG));
    awaitPosted();
    for (Executor.Instance instance : instances.instances()) {
      assertThatExceptionOfType(MachineException.class).isThrownBy(() -> instance.launch(LONG));
      assertThatExceptionOfType(MachineException.class).isThrownBy(instance::close);
    }
    instances.abort("enough");
    assertThat(value(running).values()).containsOnly(new Aborted("enough"));
  }

  private void awaitPosted() {
    long end = System.nanoTime() + LONG.toNanos();
    while (recorder.of(0).isEmpty() || recorder.of(1).isEmpty()) {
      assertThat(System.nanoTime()).as("both ranks are posted in time").isLessThan(end);
      Thread.onSpinWait();
    }
  }

  @Test
  void aClosedInstanceRefuses() {
    Prepared instances = prepare(shipped("ll_all_gather", 2, 8));
    instances.close();
    instances.close();
    for (Executor.Instance instance : instances.instances()) {
      assertThatExceptionOfType(MachineException.class).isThrownBy(() -> instance.launch(LONG));
      assertThatExceptionOfType(MachineException.class)
          .isThrownBy(() -> instance.read(instance.ranks().getFirst(), "in", 0, 1));
      instance.abort("whatever");
    }
  }

  @Test
  void aProgramOfAnotherWorldIsRefusedAndLeavesNothing() {
    List<Executor> executors = executors(2);
    List<MachineException> refusals =
        failures(
            MachineException.class,
            executors,
            e -> e.prepare(shipped("ll_all_gather", 3, 8), topology(2)));
    assertThat(refusals)
        .allSatisfy(refusal -> assertThat(refusal).hasMessageContainingAll("3", "2"));
    Prepared instances = prepare(executors, shipped("ll_all_gather", 2, 8));
    assertThat(instances.launch(LONG).values()).containsOnly(new Done());
  }

  @Test
  void anExecutorOutlivesItsInstances() {
    List<Executor> executors = executors(2);
    Prepared instances = prepare(executors, shipped("ll_all_gather", 2, 8));
    assertThat(executors)
        .allSatisfy(e -> assertThatExceptionOfType(MachineException.class).isThrownBy(e::close));
    assertThat(instances.launch(LONG).values()).containsOnly(new Done());
    instances.close();
    all(
        executors,
        executor -> {
          executor.close();
          executor.close();
          return executor;
        });
  }

  @Test
  void nothingStaysAllocated() {
    List<Executor> executors = executors(2);
    prepare(executors, ContractPrograms.checks(2)).close();
    OptionalLong before = held();
    assumeTrue(before.isPresent(), "allocated bytes cannot be measured");
    for (int i = 0; i < 5; i++) {
      Prepared fine = prepare(executors, shipped("ring_send_recv", 2, 100));
      assertThat(fine.launch(LONG).values()).containsOnly(new Done());
      fine.close();
      Prepared stuck = prepare(executors, ContractPrograms.waitsForEver(2));
      assertThat(stuck.launch(SHORT).get(1)).isInstanceOf(TimedOut.class);
      stuck.close();
    }
    assertThat(held()).isEqualTo(before);
  }

  @Test
  void everyPostedLaunchIsCompletedExactlyOnce() {
    Prepared instances = prepare(ContractPrograms.checks(2));
    List<SortedMap<Integer, Outcome>> launches = new ArrayList<>();
    launches.add(launchChecked(instances, 1, 2));
    launches.add(launchChecked(instances, 13, 2));
    launches.add(launchChecked(instances, 3, 2));
    for (int rank = 0; rank < 2; rank++) {
      List<Recorder.Event> events = recorder.of(rank);
      assertThat(events).hasSize(6);
      for (int i = 0; i < 6; i++) {
        Recorder.Event event = events.get(i);
        assertThat(event.posted()).as("event %d", i).isEqualTo(i % 2 == 0);
        assertThat(event.program()).isEqualTo(instances.program.digest());
        assertThat(event.nanos() - events.get(Math.max(0, i - 1)).nanos()).isNotNegative();
        if (!event.posted()) {
          assertThat(event.outcome()).containsExactly(launches.get(i / 2).get(rank));
        }
      }
    }
  }

  @Test
  void launchesThatEndBadlyAreCompletedToo() {
    Prepared instances = prepare(ContractPrograms.waitsForEver(2));
    instances.launch(SHORT);
    instances.launch(SHORT);
    for (int rank = 0; rank < 2; rank++) {
      List<Recorder.Event> events = recorder.of(rank);
      assertThat(events.stream().filter(Recorder.Event::posted).count() * 2)
          .isEqualTo(events.size())
          .isPositive();
      assertThat(events.getLast().posted()).isFalse();
    }
  }
}
