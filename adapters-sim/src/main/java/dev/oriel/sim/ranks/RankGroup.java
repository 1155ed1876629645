package dev.oriel.sim.ranks;

import dev.oriel.ports.Abort;
import dev.oriel.ports.AbortedException;
import dev.oriel.ports.setup.AbortState;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One rank in one communicator. It passes requests on unless the world was aborted. */
final class RankGroup implements AbortState {
  /** Calls in an aborted world that are refused without a request to the machine. */
  private static final int REFUSED = 1_000;

  final RankLane lane;
  private final int number;
  private int refused;
  private Optional<Abort> seen = Optional.empty();

  RankGroup(RankLane lane, int number) {
    this.lane = lane;
    this.number = number;
  }

  /** The same communicator, as used by another lane of the rank. */
  RankGroup in(RankLane other) {
    RankGroup group = new RankGroup(other, number);
    group.seen = seen;
    return group;
  }

  int number() {
    return number;
  }

  /** The machine's answer; throws once this rank has observed that the world was aborted. */
  LaneReply ask(LaneRequest request) {
    if (seen.isPresent() && ++refused > REFUSED) {
      // Asks the machine, which ends code that makes calls endlessly.
      LaneReply ignored = lane.ask(lookAbort());
    }
    refuse(null);
    LaneReply reply = lane.ask(request.in(number));
    seen = reply.abort();
    if (reply.timedOut()) {
      refuse(null);
    }
    return reply;
  }

  /** The machine's answer, in an aborted world, too; an abort does not end this wait. */
  LaneReply askAnyway(LaneRequest request) {
    return lane.ask(request);
  }

  @Override
  public Abort abort(Abort mine) {
    byte[] text = mine.cause().getBytes(StandardCharsets.UTF_8);
    seen = lane.ask(LaneRequest.meeting(LaneOperation.ABORT, 0, text, 0).in(number)).abort();
    return seen.orElseThrow();
  }

  @Override
  public Optional<Abort> aborted() {
    if (seen.isEmpty()) {
      seen = lane.ask(lookAbort()).abort();
    }
    return seen;
  }

  private LaneRequest lookAbort() {
    return LaneRequest.meeting(LaneOperation.LOOK_ABORT, 0, new byte[0], 0).in(number);
  }

  /**
   * Throws if this rank has observed an abort. It does not ask the machine: that would be a step,
   * and might order others.
   */
  @Override
  public void refuse(@Nullable Throwable own) {
    seen.ifPresent(abort -> {
      throw new AbortedException(abort, own);
    });
  }
}
