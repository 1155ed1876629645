package dev.oriel.sim.ranks;

import static dev.oriel.sim.ranks.CorrectRankCode.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.domain.registration.RegistrationKeys;
import dev.oriel.domain.registration.RegistrationLease;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Comparison;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Verdict.Violation;
import dev.oriel.ports.Window;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.Fault;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.ReplayException;
import dev.oriel.sim.replay.ReplayToken;
import dev.oriel.sim.search.Strategy;
import dev.oriel.sim.trace.TraceEvent;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Rank 1 leases memory twice and sends rank 0 the second key, or a message that it has none. Then
 * rank 0 puts as windows do. The reaction to a rejected registration is correct, or wrong in one
 * way.
 */
class RefusedRegistrationTest {
  private static final int NOTICE = 48;

  enum Answer {
    /** Notifies the peer. */
    NOTIFIES,
    /** Tries once more. */
    TRIES_AGAIN,
    /** Uses the key that it has, which belongs to other bytes. */
    OTHER_KEY,
    /** Ends while the peer waits for the message. */
    SILENT,
    /** Notifies the peer, and keeps the earlier lease. */
    LEAKS,
    /** Does not handle it. */
    NONE
  }

  private static RankCode code(Answer answer) {
    return (window, rank) -> {
      if (rank == 0) {
        origin(window);
      } else {
        owner(window, answer);
      }
    };
  }

  private static void owner(Window window, Answer answer) throws Exception {
    RankTransport transport = RankTransport.of(window);
    RegistrationLease first = transport.lease(0, 8, 0, 16);
    Optional<RegistrationLease> second = second(transport, answer);
    if (second.isEmpty() && answer == Answer.SILENT) {
      transport.giveBack(first);
      return;
    }
    RegistrationKeys none =
        answer == Answer.OTHER_KEY
            ? transport.key(first, transport.ofPuts())
            : new RegistrationKeys(0, 0);
    RegistrationKeys key =
        second.map(lease -> transport.key(lease, transport.ofPuts())).orElse(none);
    window.write(NOTICE, ByteBuffer.allocate(8).putLong(key.remote()).array());
    window.put(0, NOTICE, NOTICE, 8);
    window.signal(0, 0, 1);
    window.await(0, 1, Comparison.GE, 1, LONG);
    assertThat(window.read(16, 8)).isEqualTo(CorrectRankCode.bytes(0));
    second.ifPresent(transport::giveBack);
    if (second.isPresent() || answer != Answer.LEAKS) {
      transport.giveBack(first);
    }
  }

  private static Optional<RegistrationLease> second(RankTransport transport, Answer answer) {
    try {
      return Optional.of(transport.lease(16, 8, 16, 16));
    } catch (MachineException e) {
      if (answer == Answer.NONE) {
        throw e;
      }
      return answer == Answer.TRIES_AGAIN
          ? Optional.of(transport.lease(16, 8, 16, 16))
          : Optional.empty();
    }
  }

  private static void origin(Window window) throws Exception {
    RankTransport transport = RankTransport.of(window);
    window.write(0, CorrectRankCode.bytes(0));
    RegistrationLease lease = transport.lease(0, 8, 0, 16);
    window.await(1, 0, Comparison.GE, 1, LONG);
    long noticed = ByteBuffer.wrap(window.read(NOTICE, 8)).getLong();
    if (noticed == 0) {
      window.put(1, 16, 0, 8);
    } else {
      transport.put(
          1,
          16,
          new RegistrationKeys(noticed, noticed),
          0,
          8,
          transport.key(lease, transport.ofPuts()));
    }
    window.flush(1, LONG);
    transport.giveBack(lease);
    window.signal(1, 1, 1);
  }

  private static RankCodeExploration exploration(String profile, int interfaces, Answer answer) {
    return RankCodeExploration.of(
            "refused",
            CorrectRankCode.WINDOW,
            Topology.parse("2x1"),
            Thread::startVirtualThread,
            code(answer))
        .withKeys(2 * interfaces, interfaces)
        .withProfile(Profile.parse(profile));
  }

  private static FaultPlan refused(int after) {
    return FaultPlan.of(new Fault.RefuseRegistration(1, after));
  }

  private static Optional<Violation> found(RankCodeExploration exploration) {
    return exploration.check().verdict().violation();
  }

  @ParameterizedTest
  @EnumSource
  void withoutRejectionsEveryReactionPasses(Answer answer) {
    assertThat(found(exploration("L2", 1, answer)).map(Violation::message)).isEmpty();
    RankCodeExploration late = exploration("L2", 1, answer).withFaults(refused(2));
    assertThat(found(late).map(Violation::message)).isEmpty();
  }

  /** With two interfaces, the first has released the memory that the second rejected. */
  @ParameterizedTest
  @CsvSource({"L2, 1, 1", "'L2,proxy=1', 1, 1", "rdma-multirail, 2, 2", "rdma-multirail, 2, 3"})
  void codeThatHandlesTheRejectionPasses(String profile, int interfaces, int after) {
    for (Answer right : new Answer[] {Answer.NOTIFIES, Answer.TRIES_AGAIN}) {
      RankCodeExploration refused =
          exploration(profile, interfaces, right).withFaults(refused(after));
      assertThat(found(refused).map(Violation::message)).isEmpty();
      RankCodeExploration all = refused.withStrategy(Strategy.SYNCHRONISATION);
      assertThat(found(all).map(Violation::message)).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "OTHER_KEY, bounds, 'access outside its registration: from=16, to=24, registered=0 to 16'",
    "SILENT, deadlock, rank=0",
    "LEAKS, thrown, 'memory was left registered: rank=1, registrations=1'",
    "NONE, thrown, 'memory not registered: rank=1, interface=0, base=16, bytes=16'"
  })
  void codeThatMishandlesTheRejectionIsDetected(Answer wrong, String kind, String reason) {
    Violation violation = found(exploration("L2", 1, wrong).withFaults(refused(1))).orElseThrow();
    assertThat(violation.kind()).as(violation.message()).isEqualTo(kind);
    assertThat(violation.message()).contains(reason);
  }

  @Test
  void theTraceShowsTheRejectionAndATokenReplaysIt() {
    RankCodeExploration silent = exploration("L2", 1, Answer.SILENT).withFaults(refused(1));
    ReplayToken token = silent.shrink(silent.check().found().orElseThrow().token().orElseThrow());
    assertThat(token.faults()).isEqualTo(refused(1));
    var played = exploration("L2", 1, Answer.SILENT).replay(ReplayToken.parse(token.toString()));
    assertThat(played.finding()).isPresent();
    assertThat(played.recording().events().stream().map(TraceEvent::text))
        .anyMatch(text -> text.matches(".*register\\(16, 16\\) at .* is refused"));
  }

  @Test
  void withoutRegistrationsTheFaultIsRejected() {
    RankCodeExploration none =
        RankCodeExploration.of(
            "none",
            CorrectRankCode.WINDOW,
            Topology.parse("2x1"),
            Thread::startVirtualThread,
            CorrectRankCode.message());
    assertThatExceptionOfType(ReplayException.class)
        .isThrownBy(() -> none.withFaults(refused(1)).check())
        .withMessageContaining("nothing registers memory here")
        .withMessageContaining("'refuse-registration rank=1 after=1'");
  }
}
