package dev.oriel.bootstrap;

import dev.oriel.ports.BootstrapException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Rank 0's side of every collective: gathers all contributions, then hands out one result or one
 * failure.
 *
 * <p>Invariant: a member has at most one contribution in flight, and none while a result is in
 * flight to it. Only rank 0 decides an outcome, so all ranks name the same culprit. A member that
 * cannot take an outcome is cut off and fails the next collective.
 */
final class RootStar implements GroupLink {
  private final SelectLoop loop;
  private final NavigableMap<Integer, FrameConnection> members;
  private final int world;
  private final FrameLimits limits;
  private final NavigableMap<Integer, String> lost = new TreeMap<>();
  private int sequence;

  RootStar(SelectLoop loop, NavigableMap<Integer, FrameConnection> members, TcpSettings settings) {
    this.loop = loop;
    this.members = members;
    this.world = settings.world();
    this.limits = FrameLimits.fromMember(settings.contributionLimit());
  }

  /** Notifies every member that the group is complete. */
  void ready(MonotonicDeadline deadline) {
    Frame ready = Frame.of(FrameKind.READY, 0, ByteBuffer.allocate(0));
    lost.putAll(new FrameBroadcast(loop, members.values()).send(ready, deadline));
  }

  @Override
  public List<ByteBuffer> exchange(CollectiveCall call) {
    sequence++;
    try {
      List<ByteBuffer> result = gather(call).result();
      Frame frame = Frame.of(FrameKind.RESULT, 0, call, sequence, ResultRecord.encode(result));
      lost.putAll(new FrameBroadcast(loop, members.values()).send(frame, call.deadline()));
      return result;
    } catch (BootstrapException failure) {
      announce(failure, call.label());
      throw failure;
    }
  }

  @Override
  public void requestClose() {
    loop.requestClose();
  }

  @Override
  public void release() {
    Frame farewell = Frame.of(FrameKind.LEAVE, 0, "closed its end");
    members.values().forEach(member -> member.close(farewell));
    loop.close();
  }

  private CollectiveRound gather(CollectiveCall call) {
    Map.Entry<Integer, String> gone = lost.firstEntry();
    if (gone != null) {
      throw BootstrapErrors.lost(gone.getKey(), gone.getValue(), call.label());
    }
    CollectiveRound round = new CollectiveRound(world, 0, call.label(), call.deadline().verdict());
    round.offer(0, call.label(), call.contribution(), round.deadline());
    while (!round.complete()) {
      if (round.deadline().passed()) {
        throw BootstrapErrors.missing(round.missing(), round.label(), world);
      }
      loop.await(
          round.deadline().left(),
          key -> {
            if (key.attachment() instanceof FrameConnection member) {
              hear(member, round);
            }
          });
    }
    return round;
  }

  private void hear(FrameConnection member, CollectiveRound round) {
    try {
      Frame frame = member.receive(limits);
      while (frame != null) {
        take(member, frame, round);
        frame = member.receive(limits);
      }
    } catch (ProtocolViolation e) {
      throw BootstrapErrors.protocol(member.rank(), String.valueOf(e.getMessage()), round.label());
    } catch (IOException e) {
      throw BootstrapErrors.ended(member.rank(), e, round.label());
    }
  }

  private void take(FrameConnection member, Frame frame, CollectiveRound round)
      throws ProtocolViolation {
    int rank = member.rank();
    if (frame.kind() == FrameKind.LEAVE) {
      throw BootstrapErrors.lost(rank, BoundedText.of(frame.body()), round.label());
    }
    MonotonicDeadline itsVerdict = MonotonicDeadline.inMillis(frame.millisLeft()).verdict();
    boolean twice = round.has(rank);
    round.offer(rank, frame.label(), frame.body(), itsVerdict);
    if (twice || frame.rank() != rank || frame.sequence() != sequence) {
      throw new ProtocolViolation(
          "contribution out of turn: claimedRank=%d, sequence=%d, expected=%d"
              .formatted(frame.rank(), frame.sequence(), sequence));
    }
  }

  /**
   * Reports to all members why the group is over; they see a local reason as the loss of rank 0.
   */
  private void announce(BootstrapException failure, String label) {
    BootstrapException reported =
        switch (failure.kind()) {
          case CLOSED -> BootstrapErrors.lost(0, "closed its end", label);
          case INTERRUPTED -> BootstrapErrors.lost(0, "interrupted", label);
          case UNAVAILABLE -> BootstrapErrors.lost(0, String.valueOf(failure.getMessage()), label);
          default -> failure;
        };
    Frame frame = Frame.of(FrameKind.FAILURE, 0, FailureRecord.encode(reported));
    for (FrameConnection member : members.values()) {
      try {
        member.send(frame);
      } catch (IOException e) {
        member.close();
      }
    }
  }
}
