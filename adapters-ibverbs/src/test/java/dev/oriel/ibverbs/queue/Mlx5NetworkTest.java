package dev.oriel.ibverbs.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.domain.measure.Thorough;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.contract.QueueNetworkContract;
import dev.oriel.ports.queue.DirectMemory;
import dev.oriel.ports.queue.InitiatorMemory;
import dev.oriel.ports.queue.QueueFormat;
import dev.oriel.ports.queue.QueueNetwork;
import dev.oriel.ports.queue.ReachedMemory;
import dev.oriel.ports.queue.SharedQueueMemory;
import dev.oriel.ports.queue.WorkQueue;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** With a fake of libmlx5 and its device, which reads the same memory as one of hardware. */
final class Mlx5NetworkTest extends QueueNetworkContract {
  private static final List<FakeVerbs> MADE = new ArrayList<>();

  /** The reasons of failed requests, for the tests of the contract. */
  private static final Set<String> FAILURES = new TreeSet<>();

  private final FakeVerbs verbs = new FakeVerbs();

  Mlx5NetworkTest() {
    MADE.add(verbs);
  }

  @AfterAll
  static void nothingIsLeft() {
    assertThat(MADE).allSatisfy(verbs -> assertThat(verbs.live()).isEmpty());
  }

  @AfterAll
  static void aRefusalOfADeviceIsReportedWithItsNumberAndMeaning() {
    assertThat(FAILURES)
        .allSatisfy(
            failure -> assertThat(failure).matches(".* syndrome=0x[0-9a-f]{2} [A-Z_]+, .*"));
    assertThat(FAILURES)
        .filteredOn(failure -> failure.contains("REMOTE_ACCESS"))
        .allSatisfy(failure ->
            assertThat(failure)
                .contains(
                    "syndrome=0x13 ", ": memory of the peer that is not registered for it; "));
  }

  private Mlx5Network device() {
    return new Mlx5Network(verbs::direct, () -> List.of(verbs.open()), VerbsSettings.USUAL);
  }

  /** A real device runs independently; here it runs at each poll. */
  @Override
  protected QueueNetwork network(int slots) {
    verbs.slotsOfQueues(slots);
    Mlx5Network device = device();
    return new QueueNetwork() {
      @Override
      public QueueFormat format() {
        return device.format();
      }

      @Override
      public Connection connect(
          List<ReachedMemory> ranks, BiPredicate<Integer, Integer> pairs, InitiatorMemory posters) {
        Connection connection = device.connect(ranks, pairs, posters);
        return new Connection() {
          @Override
          public WorkQueue queue(int rank, int peer) {
            return connection.queue(rank, peer);
          }

          @Override
          public WorkQueue companion(int rank, int peer) {
            return connection.companion(rank, peer);
          }

          @Override
          public boolean progress() {
            boolean worked = verbs.pump();
            return connection.progress() || worked;
          }

          @Override
          public Optional<String> failure() {
            Optional<String> failure = connection.failure();
            failure.filter(f -> f.startsWith("request failed")).ifPresent(FAILURES::add);
            return failure;
          }

          @Override
          public void close() {
            connection.close();
          }
        };
      }
    };
  }

  @Override
  protected ByteBuffer mapped(long address, long bytes) {
    return FakeVerbs.at(address, bytes);
  }

  /** Enough for completions and counts to wrap often. */
  @Override
  protected int many() {
    return Thorough.count(500, 5_000);
  }

  private void refused(InitiatorMemory posters, String reason) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(64);
    List<ReachedMemory> ranks =
        List.of(new DirectMemory(4096, bytes), new DirectMemory(8192, bytes));
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> device().connect(ranks, (rank, peer) -> !rank.equals(peer), posters))
        .withMessageContaining(reason)
        .withMessageContaining("; ");
  }

  private static SharedQueueMemory memory(int bytes) {
    return new SharedQueueMemory(ByteBuffer.allocateDirect(bytes), 1L << 40);
  }

  private static final InitiatorMemory ALL =
      new InitiatorMemory() {
        @Override
        public SharedQueueMemory allocate(int bytes) {
          return memory(bytes);
        }

        @Override
        public long reach(long address, long bytes) {
          return address;
        }

        @Override
        public long reachRegister(long address, long bytes) {
          return address;
        }
      };

  @Test
  void initiatorsWithoutAccessToTheRegisterAreRejected() {
    refused(Mlx5NetworkTest::memory, "posters do not reach");
  }

  @Test
  void aDeviceOfAnotherDriverIsRefused() {
    verbs.failNext("mlx5dv_init_obj", 95);
    refused(ALL, "a device of the driver mlx5 is needed");
  }

  @Test
  void aQueueOfAnotherKindIsRefused() {
    verbs.strideOfQueues(128);
    refused(ALL, "of no known kind");
  }

  @Test
  void aDeviceWithoutAtomicsIsRefused() {
    verbs.withoutAtomics();
    refused(ALL, "device changes no words in one step");
  }

  @Test
  void completionsWithTooLittleRoomAreRefused() {
    verbs.roomOfCompletions(4);
    refused(ALL, "more elements than their completions have room");
  }

  /** The mapped memory, and the number of queue pairs when it was unmapped. */
  private static final class Held implements InitiatorMemory {
    private final FakeVerbs verbs;
    private final boolean registers;
    private int reached;
    private int pairs;

    Held(FakeVerbs verbs, boolean registers) {
      this.verbs = verbs;
      this.registers = registers;
    }

    @Override
    public SharedQueueMemory allocate(int bytes) {
      return memory(bytes);
    }

    @Override
    public long reach(long address, long bytes) {
      reached++;
      return address;
    }

    @Override
    public long reachRegister(long address, long bytes) {
      if (!registers) {
        throw new MachineException("no register of an interface; hand requests to a proxy");
      }
      return reach(address, bytes);
    }

    @Override
    public void forget() {
      if (reached > 0) {
        reached = 0;
        pairs = verbs.live().getOrDefault("queue pair", 0);
      }
    }
  }

  private static QueueNetwork.Connection connect(FakeVerbs verbs, InitiatorMemory posters) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(64);
    return new Mlx5Network(verbs::direct, () -> List.of(verbs.open()), VerbsSettings.USUAL)
        .connect(
            List.of(new DirectMemory(4096, bytes), new DirectMemory(8192, bytes)),
            (rank, peer) -> !rank.equals(peer),
            posters);
  }

  @Test
  void initiatorsReleaseQueuesBeforeTheyAreUnmapped() {
    Held held = new Held(verbs, true);
    connect(verbs, held).close();
    assertThat(held.reached).isZero();
    assertThat(held.pairs).isPositive();
  }

  @Test
  void initiatorsReleaseQueuesWithoutAccessToARegister() {
    Held held = new Held(verbs, false);
    assertThatExceptionOfType(MachineException.class).isThrownBy(() -> connect(verbs, held));
    assertThat(held.reached).isZero();
    assertThat(held.pairs).isPositive();
  }

  @Test
  void aFailedCloseKeepsNothingElseOpenAndHidesNoReason() {
    FakeVerbs broken = new FakeVerbs();
    broken.failNext("ibv_destroy_qp", 16);
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> connect(broken, new Held(broken, false)))
        .withMessageContaining("no register of an interface")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    assertThat(broken.live())
        .isEqualTo(Map.of("queue pair", 1, "completion queue", 1, "domain", 1));
  }
}
