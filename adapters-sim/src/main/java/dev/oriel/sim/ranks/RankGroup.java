package dev.oriel.sim.ranks;

import dev.oriel.ports.Abort;
import dev.oriel.ports.AbortedException;
import dev.oriel.ports.BootstrapException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One rank in one communicator: it asks, unless the world was aborted. */
final class RankGroup {
  final RankLane lane;
  private final int number;
  private Optional<Abort> seen = Optional.empty();

  RankGroup(RankLane lane, int number) {
    this.lane = lane;
    this.number = number;
  }

  /** The same communicator, asked in another lane of the rank. */
  RankGroup in(RankLane other) {
    RankGroup group = new RankGroup(other, number);
    group.seen = seen;
    return group;
  }

  int number() {
    return number;
  }

  /** What the machine answers; throws once this rank has seen that the world was aborted. */
  Reply ask(Request request) {
    refuse(null);
    Reply reply = lane.ask(request.in(number));
    seen = reply.abort();
    if (reply.timedOut()) {
      refuse(null);
    }
    return reply;
  }

  /** What the machine answers, also in a world that was aborted, which does not end the wait. */
  Reply askAnyway(Request request) {
    return lane.ask(request);
  }

  Abort abort(String cause) {
    byte[] text = cause.getBytes(StandardCharsets.UTF_8);
    seen = lane.ask(Request.meeting(Operation.ABORT, 0, text, 0).in(number)).abort();
    return seen.orElseThrow();
  }

  Optional<Abort> aborted() {
    if (seen.isEmpty()) {
      seen = lane.ask(Request.meeting(Operation.LOOK_ABORT, 0, new byte[0], 0).in(number)).abort();
    }
    return seen;
  }

  /** Throws if this rank has seen an abort. */
  void refuse(@Nullable Throwable own) {
    seen.ifPresent(abort -> {
      throw new AbortedException(abort, own);
    });
  }

  boolean sawAbort() {
    return seen.isPresent();
  }

  /** A collective call; a group that fails because ranks went away after an abort says so. */
  <T> T during(Supplier<T> call) {
    refuse(null);
    try {
      return call.get();
    } catch (BootstrapException e) {
      if (aborted().isPresent()) {
        refuse(e);
      }
      throw e;
    }
  }
}
