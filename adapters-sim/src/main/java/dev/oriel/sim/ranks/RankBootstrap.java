package dev.oriel.sim.ranks;

import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.BootstrapException.Kind;
import dev.oriel.ports.SetupStatus;
import dev.oriel.sim.machine.driver.LaneDriver;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The group of the ranks of one execution. Contributions do not pass through the explored memory.
 * The synchronisation of a collective call does, through slots of its own: accesses of any rank
 * before the call happen before accesses of any rank after it.
 */
final class RankBootstrap implements Bootstrap {
  private static final String FINE = "+";
  private static final String FAILED = "-";

  private final RankLane lane;
  private final Duration deadline;
  private boolean closed;

  RankBootstrap(RankLane lane, Duration deadline) {
    this.lane = lane;
    this.deadline = deadline;
  }

  @Override
  public int rank() {
    return lane.rank;
  }

  @Override
  public int world() {
    return lane.world;
  }

  @Override
  public Duration deadline() {
    return deadline;
  }

  @Override
  public List<byte[]> allGather(String step, byte[] mine, Duration within) {
    return meet("allGather(" + step + ")", mine, within);
  }

  @Override
  public void barrier(String step, Duration within) {
    List<byte[]> ignored = meet("barrier(" + step + ")", new byte[0], within);
  }

  @Override
  public void agree(String step, SetupStatus mine, Duration within) {
    String label = "agree(" + step + ")";
    String text = mine instanceof SetupStatus.Failed(String said, var _) ? FAILED + said : FINE;
    List<byte[]> all = meet(label, text.getBytes(StandardCharsets.UTF_8), within);
    TreeMap<Integer, String> causes = new TreeMap<>();
    for (int rank = 0; rank < all.size(); rank++) {
      String said = new String(all.get(rank), StandardCharsets.UTF_8);
      if (said.startsWith(FAILED)) {
        causes.put(rank, said.substring(FAILED.length()));
      }
    }
    if (!causes.isEmpty()) {
      @Nullable Throwable own =
          mine instanceof SetupStatus.Failed(var _, Throwable cause) ? cause : null;
      int first = causes.firstKey();
      throw new BootstrapException(
          Kind.AGREEMENT_FAILED,
          "set-up failed: rank=%d, cause=%s, failing=%s, step=%s; mend the cause on that rank, undo this part on every rank, then retry together"
              .formatted(first, causes.get(first), causes.keySet(), label),
          causes,
          own);
    }
  }

  private List<byte[]> meet(String label, byte[] mine, Duration within) {
    if (closed) {
      throw new BootstrapException(
          Kind.CLOSED, "this rank's end is closed: rank=" + lane.rank + "; open a new group", null);
    }
    long nanos = lane.nanos(within);
    long round = lane.nextRound();
    byte[] handed = CollectiveRounds.handed(label, mine);
    check(lane.ask(LaneRequest.meeting(LaneOperation.ARRIVE_ALL, round, handed, LaneDriver.NEVER)));
    LaneReply met =
        check(lane.ask(LaneRequest.meeting(LaneOperation.MEET_ALL, round, new byte[0], nanos)));
    if (met.timedOut()) {
      // All ranks have arrived, but a signal of one is not yet visible; so the wait has no
      // deadline.
      met =
          check(
              lane.ask(
                  LaneRequest.meeting(
                      LaneOperation.MEET_ALL, round, new byte[0], LaneDriver.NEVER)));
    }
    return CollectiveRounds.contributions(met.bytes());
  }

  private static LaneReply check(LaneReply reply) {
    reply
        .failure()
        .ifPresent(failure -> {
          throw new BootstrapException(failure.kind(), failure.message(), failure.details(), null);
        });
    return reply;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      LaneReply ignored =
          lane.ask(LaneRequest.meeting(LaneOperation.LEAVE, 0, new byte[0], LaneDriver.NEVER));
    }
  }
}
