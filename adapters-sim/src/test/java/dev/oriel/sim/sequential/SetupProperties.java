package dev.oriel.sim.sequential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.SetupStatus;
import dev.oriel.ports.Window;
import dev.oriel.ports.contract.DelegatingBootstrap;
import dev.oriel.ports.contract.InVain;
import dev.oriel.ports.contract.RankThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.UniqueElements;

/** A failure on any ranks in any step of creating a window ends the same way on all. */
class SetupProperties {
  private static final long LARGE = 10_000;
  private static final WindowSpec SPEC =
      WindowSpec.named("w").withData(DataSizes.uniform(LARGE)).withSignals(2).withBarriers(1);
  private static final WindowSpec LITTLE = SPEC.withData(DataSizes.uniform(16));
  private static final Duration LONG = Duration.ofSeconds(20);

  /** The timeout for an absent rank; longer on a slow machine. */
  private static final Duration SHORT = Duration.ofMillis(200);

  private final List<SequentialFabric> fabrics = Collections.synchronizedList(new ArrayList<>());

  /** The behaviour of a rank in calls of its group, from the creation of the window on. */
  private enum Trouble {
    NONE,
    /** Receives damaged bytes in the exchange. */
    DAMAGED,
    /** Does not join the call. */
    STAYS_AWAY,
    /** Leaves before the call. */
    DIES
  }

  /**
   * A rank's bootstrap that works until the window is created, and from then until the call of a
   * given number.
   */
  private static final class Ends extends DelegatingBootstrap {
    private final Trouble trouble;
    private final Duration timeout;
    private int left;
    private boolean armed;

    Ends(Bootstrap real, Trouble trouble, int calls) {
      this(real, trouble, calls, real.deadline());
    }

    Ends(Bootstrap real, Trouble trouble, int calls, Duration timeout) {
      super(real);
      this.trouble = trouble;
      this.left = calls;
      this.timeout = timeout;
    }

    void arm() {
      armed = true;
    }

    private boolean now() {
      return armed && left-- == 0;
    }

    private void happens() {
      if (now() && trouble != Trouble.NONE && trouble != Trouble.DAMAGED) {
        if (trouble == Trouble.DIES) {
          close();
        }
        throw new BootstrapException(BootstrapException.Kind.UNAVAILABLE, "no network", null);
      }
    }

    @Override
    public Duration deadline() {
      return armed ? timeout : super.deadline();
    }

    @Override
    public List<byte[]> allGather(String step, byte[] mine, Duration within) {
      happens();
      List<byte[]> all = super.allGather(step, mine, within);
      if (trouble == Trouble.DAMAGED && armed) {
        all.forEach(bytes -> bytes[Integer.BYTES] ^= 0x55);
      }
      return all;
    }

    @Override
    public void barrier(String step, Duration within) {
      happens();
      super.barrier(step, within);
    }

    @Override
    public void agree(String step, SetupStatus mine, Duration within) {
      happens();
      super.agree(step, mine, within);
    }
  }

  private Communicator join(SequentialWire wire, Bootstrap ends, long bytes) {
    return new SequentialCommunicators(
            wire,
            System::nanoTime,
            (on, rank, world) -> {
              SequentialFabric fabric =
                  new SequentialFabric(on, Topology.grid(1, world).facts(rank), bytes);
              fabrics.add(fabric);
              return fabric;
            })
        .join(ends);
  }

  private void nothingIsLeft() {
    assertThat(fabrics).allSatisfy(f -> assertThat(f.allocated()).isZero());
    fabrics.clear();
  }

  /** Ranks without memory, or that receive unusable data from the others. */
  @Property(tries = 40)
  void failingRanksAreNamedOnAllRanksWhichMayRetry(
      @ForAll @IntRange(min = 1, max = 6) int world,
      @ForAll @Size(min = 1, max = 6) @UniqueElements List<@IntRange(max = 5) Integer> failing,
      @ForAll boolean memory) {
    Set<Integer> bad = new TreeSet<>(failing.stream().filter(r -> r < world).toList());
    Assume.that(!bad.isEmpty());
    int first = bad.iterator().next();
    SequentialWire wire = new SequentialWire();
    List<Bootstrap> group = InProcessBootstrap.group(world, LONG);
    List<Throwable> failures =
        RankThreads.all(
            group,
            real -> {
              boolean mine = bad.contains(real.rank());
              Ends ends = new Ends(real, mine && !memory ? Trouble.DAMAGED : Trouble.NONE, 0);
              try (Communicator c = join(wire, ends, mine && memory ? 4000 : 1 << 20)) {
                ends.arm();
                Throwable failure = catchThrowable(() -> c.window(SPEC));
                ends.armed = false;
                try (Window window = c.window(LITTLE)) {
                  window.barrier(0, LONG);
                }
                return failure;
              }
            });
    assertThat(failures)
        .allSatisfy(f ->
            assertThat(f)
                .isInstanceOf(MachineException.class)
                .hasMessage(failures.get(0).getMessage())
                .hasMessageContainingAll("rank=" + first + ",", "failing=" + bad));
    assertThat(failures.get(first)).hasRootCauseInstanceOf(MachineException.class);
    nothingIsLeft();
    group.forEach(Bootstrap::close);
  }

  /** A rank that leaves at any of the calls for creating and closing a window. */
  @Property(tries = 40)
  void aRankThatLeavesIsNamedOnAllOthers(
      @ForAll @IntRange(min = 2, max = 5) int world,
      @ForAll @IntRange(max = 4) int which,
      @ForAll @IntRange(max = 3) int call,
      @ForAll boolean dies) {
    int bad = which % world;
    List<Throwable> failures =
        dies
            ? withoutOne(world, bad, Trouble.DIES, call, LONG)
            : InVain.waited(
                SHORT,
                passing -> withoutOne(world, bad, Trouble.STAYS_AWAY, call, passing),
                all -> onlyOneIsMissed(bad, all));
    IntStream.range(0, world)
        .filter(r -> r != bad)
        .forEach(r -> {
          assertThat(failures.get(r)).isInstanceOf(BootstrapException.class);
          BootstrapException failure = (BootstrapException) failures.get(r);
          assertThat(failure.kind())
              .isEqualTo(
                  dies ? BootstrapException.Kind.PEER_LOST : BootstrapException.Kind.TIMEOUT);
          assertThat(failure.ranks()).containsExactly(bad);
          assertThat(failure).hasMessage(failures.get(bad == 0 ? 1 : 0).getMessage());
        });
    assertThat(failures.get(bad)).hasMessage("no network");
  }

  /** The failures of all ranks of a world in which one leaves at a call. */
  private List<Throwable> withoutOne(
      int world, int bad, Trouble trouble, int call, Duration timeout) {
    SequentialWire wire = new SequentialWire();
    List<Bootstrap> group = InProcessBootstrap.group(world, LONG);
    List<Throwable> failures =
        RankThreads.all(
            group,
            real -> {
              Trouble own = real.rank() == bad ? trouble : Trouble.NONE;
              Ends ends = new Ends(real, own, call, timeout);
              try (Communicator c = join(wire, ends, 1 << 20)) {
                ends.arm();
                return catchThrowable(() -> {
                  try (Window window = c.window(SPEC)) {
                    assertThat(window.read(0, 1)).containsOnly(0);
                  }
                });
              }
            });
    nothingIsLeft();
    group.forEach(Bootstrap::close);
    return failures;
  }

  /** Whether the bad rank reached its call, and no other rank was too slow. */
  private static boolean onlyOneIsMissed(int bad, List<Throwable> failures) {
    return IntStream.range(0, failures.size())
        .allMatch(rank ->
            failures.get(rank) instanceof BootstrapException e
                && (rank == bad
                    ? e.kind() == BootstrapException.Kind.UNAVAILABLE
                    : e.ranks().equals(List.of(bad))));
  }
}
