package dev.oriel.sim.ranks;

import static dev.oriel.sim.ranks.CorrectRankCode.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.registration.RegistrationKeys;
import dev.oriel.domain.registration.RegistrationLease;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Comparison;
import dev.oriel.ports.Verdict.Violation;
import dev.oriel.ports.Window;
import dev.oriel.sim.machine.driver.MemoryKeyFormat;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.Strategy;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A transport of one message in rank code: rank 1 leases memory and sends its key; rank 0 leases
 * its own memory and puts or gets. Each mistake changes one call of the correct code and has its
 * own finding.
 */
class TransportKeysTest {
  private static final int KEY_WORD = 48;

  enum Mistake {
    NONE,
    /** The owner releases the memory while the put may still be pending. */
    OWNER_EARLY,
    /** The origin releases its own memory before its put has read it. */
    ORIGIN_EARLY,
    /** The owner sends a key that it has already released. */
    SENT_LATE,
    /** The owner registers anew and sends the earlier key. */
    SENT_STALE,
    /** The key belongs to the rank's other interface. */
    OTHER_INTERFACE,
    /** The put exceeds the registered bytes. */
    BEYOND,
    /** A lease is used after its release. */
    LEASE_STALE,
    /** The owner sends the key for its own requests. */
    SENT_LOCAL,
    /** The origin names its own memory by the key for peers. */
    OWN_REMOTE,
    /** The origin swaps the two keys of its put. */
    SWAPPED,
    /** The same, and both keys are used for either end. */
    SWAPPED_PAIRS,
    /** The origin names the peer's memory by its own key for peers. */
    OWN_FOR_PEERS,
    /** The peer's memory is named by no key. */
    ZERO,
    /** The peer's memory is named by a number that is no key. */
    NONSENSE,
    /** The same, with the number of requests without a key. */
    NONE_GIVEN
  }

  private static RankCodeExploration exploration(String profile, int interfaces, RankCode code) {
    return RankCodeExploration.of(
            "keys", CorrectRankCode.WINDOW, Topology.parse("2x1"), Thread::startVirtualThread, code)
        .withKeys(4, interfaces)
        .withProfile(Profile.parse(profile));
  }

  private static Optional<Violation> found(String profile, int interfaces, RankCode code) {
    CheckReport report = exploration(profile, interfaces, code).check();
    return report.verdict().violation();
  }

  private static RankCode put(Mistake mistake) {
    return (window, rank) -> {
      if (rank == 0) {
        origin(window, mistake);
      } else {
        owner(window, mistake);
      }
    };
  }

  private static void owner(Window window, Mistake mistake) throws Exception {
    RankTransport transport = RankTransport.of(window);
    int number = transport.ofPuts();
    int other = mistake == Mistake.OTHER_INTERFACE ? 1 - number : number;
    RegistrationLease lease = transport.lease(0, 8, 0, 16);
    RegistrationKeys key = transport.key(lease, other);
    if (mistake == Mistake.SENT_LATE || mistake == Mistake.SENT_STALE) {
      transport.giveBack(lease);
    }
    if (mistake == Mistake.SENT_STALE) {
      lease = transport.lease(0, 8, 0, 16);
    }
    sendKey(window, 0, mistake == Mistake.SENT_LOCAL ? new RegistrationKeys(0, key.local()) : key);
    if (mistake != Mistake.OWNER_EARLY) {
      window.await(0, 1, Comparison.GE, 1, LONG);
    }
    if (mistake != Mistake.SENT_LATE) {
      transport.giveBack(lease);
    }
    window.await(0, 1, Comparison.GE, 1, LONG);
    assertThat(window.read(0, 8)).isEqualTo(CorrectRankCode.bytes(0));
  }

  private static void origin(Window window, Mistake mistake) throws Exception {
    RankTransport transport = RankTransport.of(window);
    window.write(0, CorrectRankCode.bytes(0));
    RegistrationLease lease = transport.lease(0, 8, 0, 16);
    RegistrationKeys local = transport.key(lease, transport.ofPuts());
    window.await(1, 0, Comparison.GE, 1, LONG);
    RegistrationKeys remote = receivedKey(window);
    RegistrationKeys peers = new RegistrationKeys(remote.remote(), remote.remote());
    switch (mistake) {
      case OWN_REMOTE -> transport.put(1, 0, remote, 0, 8, new RegistrationKeys(local.remote(), 0));
      case SWAPPED ->
          transport.put(
              1,
              0,
              new RegistrationKeys(0, local.local()),
              0,
              8,
              new RegistrationKeys(remote.remote(), 0));
      case SWAPPED_PAIRS -> transport.put(1, 0, local, 0, 8, peers);
      case OWN_FOR_PEERS -> transport.put(1, 0, local, 0, 8, local);
      case ZERO -> transport.put(1, 0, new RegistrationKeys(0, 0), 0, 8, local);
      case NONSENSE -> transport.put(1, 0, new RegistrationKeys(0, 0x7777_7777_7777L), 0, 8, local);
      case NONE_GIVEN ->
          transport.put(1, 0, new RegistrationKeys(0, MemoryKeyFormat.NONE), 0, 8, local);
      default -> transport.put(1, mistake == Mistake.BEYOND ? 12 : 0, remote, 0, 8, local);
    }
    if (mistake != Mistake.ORIGIN_EARLY) {
      window.flush(1, LONG);
    }
    transport.giveBack(lease);
    if (mistake == Mistake.LEASE_STALE) {
      transport.key(lease, 0);
    }
    window.signal(1, 1, 1);
  }

  private static void sendKey(Window window, int peer, RegistrationKeys key) {
    window.write(KEY_WORD, ByteBuffer.allocate(8).putLong(key.remote()).array());
    window.put(peer, KEY_WORD, KEY_WORD, 8);
    window.signal(peer, 0, 1);
  }

  private static RegistrationKeys receivedKey(Window window) {
    long key = ByteBuffer.wrap(window.read(KEY_WORD, 8)).getLong();
    return new RegistrationKeys(key, key);
  }

  @ParameterizedTest
  @ValueSource(strings = {"L1", "L2", "L2,proxy=1", "rdma-strict", "L3,interfaces=1"})
  void memoryThatStaysRegisteredWhileInUsePasses(String profile) {
    assertThat(found(profile, 1, put(Mistake.NONE)).map(Violation::message)).isEmpty();
    RankCodeExploration all = exploration(profile, 1, put(Mistake.NONE));
    CheckReport report = all.withStrategy(Strategy.SYNCHRONISATION).check();
    assertThat(report.verdict().violation().map(Violation::message)).isEmpty();
    assertThat(report.verdict().bounds()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rdma-multirail", "L3", "rdma-multirail,proxy=1"})
  void memoryThatStaysRegisteredPassesWithAKeyPerInterface(String profile) {
    assertThat(found(profile, 2, put(Mistake.NONE)).map(Violation::message)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void everyMistakeHasItsOwnFinding(Mistake mistake) {
    for (String profile : new String[] {"rdma-multirail", "rdma-multirail,proxy=1"}) {
      Violation violation = found(profile, 2, put(mistake)).orElseThrow();
      String[] reason =
          switch (mistake) {
            case OWNER_EARLY -> new String[] {"race", "buffer=keys, owner=1", "deregister", "put("};
            case ORIGIN_EARLY ->
                new String[] {"race", "buffer=keys, owner=0", "deregister", "put("};
            case SENT_LATE -> new String[] {"bounds", "it was deregistered", "owner=1"};
            case SENT_STALE ->
                new String[] {"bounds", "registered again: generation=2", "key of generation=1"};
            case OTHER_INTERFACE ->
                new String[] {"bounds", "key of another interface: interface=0", "owner=1"};
            case BEYOND -> new String[] {"bounds", "outside its registration: from=12, to=20"};
            case LEASE_STALE -> new String[] {"thrown", "stale lease"};
            case SENT_LOCAL ->
                new String[] {"bounds", "local key where peers name the memory", "owner=1"};
            // The origin's own interface reads the source first.
            case OWN_REMOTE, SWAPPED, SWAPPED_PAIRS ->
                new String[] {"bounds", "remote key of own memory", "owner=0"};
            case OWN_FOR_PEERS -> new String[] {"bounds", "key of another rank: rank=0", "owner=1"};
            case ZERO, NONE_GIVEN ->
                new String[] {"bounds", "no key that an interface gave: key=0", "owner=1"};
            case NONSENSE -> new String[] {"bounds", "no key that an interface gave", "owner=1"};
            case NONE -> throw new AssertionError();
          };
      assertThat(violation.kind()).as(violation.message()).isEqualTo(reason[0]);
      assertThat(violation.message()).contains(Arrays.copyOfRange(reason, 1, reason.length));
    }
  }

  /** Rank 0 gets; of two interfaces, gets use the other one. */
  private static RankCode get(boolean right) {
    return (window, rank) -> {
      RankTransport transport = RankTransport.of(window);
      int number = right ? transport.ofGets() : transport.ofPuts();
      if (rank == 0) {
        RegistrationLease lease = transport.lease(0, 8, 0, 8);
        window.await(1, 0, Comparison.GE, 1, LONG);
        transport.get(1, 8, receivedKey(window), 0, 8, transport.key(lease, transport.ofGets()));
        window.flush(1, LONG);
        assertThat(window.read(0, 8)).isEqualTo(CorrectRankCode.bytes(1));
        transport.giveBack(lease);
        window.signal(1, 1, 1);
      } else {
        window.write(8, CorrectRankCode.bytes(1));
        RegistrationLease lease = transport.lease(8, 8, 0, 16);
        sendKey(window, 0, transport.key(lease, number));
        window.await(0, 1, Comparison.GE, 1, LONG);
        transport.giveBack(lease);
      }
    };
  }

  @Test
  void getsNeedKeysOfTheirInterface() {
    assertThat(found("rdma-multirail", 2, get(true)).map(Violation::message)).isEmpty();
    assertThat(found("rdma-multirail", 2, get(false)).orElseThrow().message())
        .contains("key of another interface: interface=1");
  }

  /** A second lease of bytes of the same allocation shares its registration, and keeps it alive. */
  private static RankCode shared(boolean right) {
    return (window, rank) -> {
      RankTransport transport = RankTransport.of(window);
      if (rank == 0) {
        window.write(0, CorrectRankCode.bytes(0));
        RegistrationLease lease = transport.lease(0, 8, 0, 8);
        window.await(1, 0, Comparison.GE, 1, LONG);
        transport.put(1, 8, receivedKey(window), 0, 8, transport.key(lease, transport.ofPuts()));
        window.flush(1, LONG);
        transport.giveBack(lease);
        window.signal(1, 1, 1);
      } else {
        RegistrationLease first = transport.lease(0, 8, 0, 16);
        RegistrationKeys key = transport.key(first, transport.ofPuts());
        RegistrationLease second = transport.lease(8, 8, 0, 16);
        assertThat(transport.key(second, transport.ofPuts())).isEqualTo(key);
        transport.giveBack(first);
        if (!right) {
          transport.giveBack(second);
        }
        sendKey(window, 0, key);
        window.await(0, 1, Comparison.GE, 1, LONG);
        assertThat(window.read(8, 8)).isEqualTo(CorrectRankCode.bytes(0));
        if (right) {
          transport.giveBack(second);
        }
      }
    };
  }

  @Test
  void aRegistrationEndsWithItsLastLease() {
    assertThat(found("L2", 1, shared(true)).map(Violation::message)).isEmpty();
    assertThat(found("L2", 1, shared(false)).orElseThrow().message())
        .contains("it was deregistered");
  }

  /** All keys differ: for the two ends, ranks, interfaces and registrations. */
  @Test
  void allKeysDiffer() {
    Set<Long> keys = ConcurrentHashMap.newKeySet();
    AtomicInteger given = new AtomicInteger();
    RankCode code =
        (window, rank) -> {
          RankTransport transport = RankTransport.of(window);
          for (int time = 0; time < 3; time++) {
            RegistrationLease one = transport.lease(0, 8, 0, 16);
            RegistrationLease other = transport.lease(16, 8, 16, 16);
            for (int number = 0; number < 2; number++) {
              for (RegistrationLease lease : List.of(one, other)) {
                RegistrationKeys key = transport.key(lease, number);
                keys.add(key.local());
                keys.add(key.remote());
                given.addAndGet(2);
              }
            }
            transport.giveBack(one);
            transport.giveBack(other);
          }
        };
    var fifo = exploration("rdma-multirail", 2, code).withStrategy(Strategy.FIFO);
    // They are the same in every execution; each rank registers two regions 3 times with 2
    // interfaces.
    RankCodeExploration one = fifo.withBudget(new Budget(1, 1, 10_000, 1));
    assertThat(one.check().verdict().violation()).isEmpty();
    int each = 2 * 2 * 3 * 2 * 2;
    assertThat(given.get() % each).isZero();
    assertThat(keys).hasSize(each).doesNotContain(0L, MemoryKeyFormat.NONE);
  }

  @Test
  void aTokenReplaysTheFailure() {
    RankCodeExploration broken = exploration("L2", 1, put(Mistake.OWNER_EARLY));
    var token = broken.check().found().orElseThrow().token().orElseThrow();
    assertThat(broken.replay(token).finding()).isPresent();
  }
}
