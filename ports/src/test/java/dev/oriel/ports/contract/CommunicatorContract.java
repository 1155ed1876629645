package dev.oriel.ports.contract;

import static dev.oriel.ports.contract.RankThreads.all;
import static dev.oriel.ports.contract.RankThreads.failures;
import static dev.oriel.ports.contract.RankThreads.without;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.domain.topology.Digest128;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The requirements on every {@link Communicator} and its factory. */
public abstract class CommunicatorContract extends WorldFixture {
  /** Abilities that an implementation may lack. */
  public enum Capability {
    /** Gives a rank no more than the bytes that the suite requests. */
    LIMITED_MEMORY
  }

  private static final WindowSpec SPEC =
      WindowSpec.named("w").withData(DataSizes.uniform(1000)).withSignals(2).withBarriers(1);
  private static final Duration LONG = Duration.ofSeconds(20);

  private final Set<Capability> lacking;

  /** A suite for an implementation that lacks the named capabilities. */
  protected CommunicatorContract(Set<Capability> lacking) {
    this.lacking = lacking;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void ranksKnowTheirNumberAndAgreeOnTheTopology(int world) {
    List<Digest128> digests =
        inWorld(
            world,
            c -> {
              assertThat(c.world()).isEqualTo(world).isEqualTo(c.topology().world());
              return c.topology().digest();
            });
    assertThat(digests).containsOnly(topology(world).digest());
    assertThat(inWorld(world, Communicator::rank)).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void windowsAreCreatedInSequenceAndConcurrently() {
    inWorld(
        3,
        c -> {
          try (Window one = c.window(SPEC);
              Window two = c.window(WindowSpec.named("x").withData(DataSizes.uniform(5)))) {
            assertThat(one.bytes(1)).isEqualTo(1000);
            assertThat(two.bytes(2)).isEqualTo(5);
          }
          try (Window again = c.window(SPEC)) {
            assertThat(again.read(0, 1000)).containsOnly(0);
          }
          return c;
        });
  }

  @Test
  void aRankWithoutMemoryFailsTheWindowOnAllWhichMayRetry() {
    assumeTrue(
        !lacking.contains(Capability.LIMITED_MEMORY), "the implementation lacks LIMITED_MEMORY");
    List<List<MachineException>> failures =
        all(
            group(4, LONG),
            bootstrap -> {
              long bytes = bootstrap.rank() % 2 == 1 ? 10_000 : PLENTY;
              try (Communicator c = join(bootstrap, topology(4), bytes)) {
                WindowSpec large = SPEC.withData(DataSizes.uniform(100_000));
                MachineException first = windowFailure(c, large);
                MachineException second = windowFailure(c, large);
                c.window(SPEC).close();
                return List.of(first, second);
              }
            });
    for (List<MachineException> failure : failures) {
      assertThat(failure.get(0))
          .hasMessage(failures.get(0).get(0).getMessage())
          .hasMessageContainingAll("rank=1", "100000");
      assertThat(failure.get(1)).hasMessage(failures.get(0).get(1).getMessage());
    }
    assertThat(failures.get(3).get(0)).rootCause().hasMessageContaining("100000");
  }

  private static MachineException windowFailure(Communicator c, WindowSpec spec) {
    try (Window window = c.window(spec)) {
      throw new AssertionError("a window was made: bytes=" + window.bytes(c.rank()));
    } catch (MachineException e) {
      return e;
    }
  }

  @Test
  void differentSpecificationsFailOnAllAndTheFieldIsNamed() {
    List<String> messages =
        inWorld(
            4,
            c -> {
              WindowSpec spec = c.rank() >= 2 ? SPEC.withSignals(3) : SPEC;
              String message = String.valueOf(windowFailure(c, spec).getMessage());
              c.window(SPEC).close();
              return message;
            });
    assertThat(messages).containsOnly(messages.get(0));
    assertThat(messages.get(0)).contains("rank=2", "signals=3", "signals=2");
  }

  @Test
  void sizesForAnotherWorldFailOnAll() {
    List<String> messages =
        inWorld(
            3,
            c -> {
              DataSizes sizes =
                  c.rank() == 1 ? DataSizes.perRank(1, 2) : DataSizes.perRank(1, 2, 3);
              return String.valueOf(windowFailure(c, SPEC.withData(sizes)).getMessage());
            });
    assertThat(messages).containsOnly(messages.get(0));
    assertThat(messages.get(0)).contains("rank=1");
  }

  @Test
  void aNameBelongsToOneOpenWindow() {
    inWorld(
        2,
        c -> {
          try (Window window = c.window(SPEC)) {
            assertThat(windowFailure(c, SPEC)).hasMessageContaining("w");
            assertThat(window.read(0, 1000)).containsOnly(0);
          }
          return c;
        });
  }

  @Test
  void anAbsentRankIsNamedToWaitingRanks() {
    List<BootstrapException> failures =
        InVain.waited(
            Duration.ofMillis(600),
            passing ->
                failures(
                    without(group(3, passing), 1),
                    bootstrap -> join(bootstrap, topology(3), PLENTY)),
            all -> all.stream().allMatch(f -> f.ranks().equals(List.of(1))));
    assertThat(failures).allSatisfy(f -> assertThat(f.ranks()).containsExactly(1));
  }

  @Test
  void aRankThatIsLostFailsTheNextWindowOnAll() {
    List<Bootstrap> group = group(3, LONG);
    all(
        group,
        bootstrap -> {
          try (Communicator c = join(bootstrap, topology(3), PLENTY)) {
            if (bootstrap.rank() == 2) {
              bootstrap.close();
            } else {
              assertThatExceptionOfType(BootstrapException.class)
                  .isThrownBy(() -> c.window(SPEC))
                  .satisfies(failure -> assertThat(failure.ranks()).containsExactly(2));
            }
          }
          return bootstrap;
        });
  }

  @Test
  void aCommunicatorOutlivesItsWindows() {
    inWorld(
        2,
        c -> {
          Window window = c.window(SPEC);
          assertThatExceptionOfType(MachineException.class)
              .isThrownBy(c::close)
              .withMessageContaining("w");
          window.close();
          window.close();
          c.close();
          c.close();
          assertThatExceptionOfType(MachineException.class).isThrownBy(() -> c.window(SPEC));
          return c;
        });
  }

  @Test
  void ranksJoinAgainAfterTheyLeft() {
    List<Bootstrap> group = group(3, LONG);
    for (int i = 0; i < 3; i++) {
      all(
          group,
          bootstrap -> {
            try (Communicator c = join(bootstrap, topology(3), PLENTY);
                Window window = c.window(SPEC)) {
              window.barrier(0, LONG);
            }
            return bootstrap;
          });
    }
  }
}
