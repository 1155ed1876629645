package dev.oriel.bootstrap;

import dev.oriel.ports.BootstrapException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The side of every rank but 0: sends its contribution to rank 0 and awaits the one outcome.
 *
 * <p>It reads the last words of rank 0 before it draws conclusions from a broken connection: a
 * failure that rank 0 announced before it left is the failure to report.
 */
final class MemberStar implements GroupLink {
  private final SelectLoop loop;
  private final FrameConnection root;
  private final int rank;
  private final int world;
  private final FrameLimits limits;
  private int sequence;

  MemberStar(SelectLoop loop, FrameConnection root, TcpSettings settings) {
    this.loop = loop;
    this.root = root;
    this.rank = settings.rank();
    this.world = settings.world();
    this.limits = FrameLimits.fromRoot(world, settings.contributionLimit());
  }

  /** Waits until every rank has joined. */
  void awaitReady(MonotonicDeadline deadline) {
    String label = "joining";
    Frame frame = next(label, deadline);
    if (frame.kind() != FrameKind.READY) {
      throw failure(frame, label);
    }
  }

  @Override
  public List<ByteBuffer> exchange(CollectiveCall call) {
    sequence++;
    try {
      // Before the contribution is sent: once rank 0 has it, the others may complete without this
      // rank.
      loop.refuseWhenOver();
      Frame early = receive(call.label());
      if (early != null) {
        throw failure(early, call.label());
      }
      send(Frame.of(FrameKind.CONTRIBUTION, rank, call, sequence, call.contribution()), call);
      return outcome(next(call.label(), call.deadline()), call);
    } catch (BootstrapException failure) {
      leave("stopped at %s: %s".formatted(call.label(), failure.kind()));
      throw failure;
    }
  }

  @Override
  public void requestClose() {
    loop.requestClose();
  }

  @Override
  public void release() {
    root.close(Frame.of(FrameKind.LEAVE, rank, "closed its end"));
    loop.close();
  }

  private Frame next(String label, MonotonicDeadline deadline) {
    Frame frame = receive(label);
    while (frame == null) {
      if (deadline.passed()) {
        throw BootstrapErrors.noVerdict(rank, label);
      }
      loop.await(deadline.left(), key -> flush(label));
      frame = receive(label);
    }
    return frame;
  }

  private List<ByteBuffer> outcome(Frame frame, CollectiveCall call) {
    if (frame.kind() != FrameKind.RESULT) {
      throw failure(frame, call.label());
    }
    try {
      if (frame.sequence() != sequence || !frame.label().equals(call.label())) {
        throw new ProtocolViolation(
            "result of another collective: step=%s, sequence=%d, expected=%d"
                .formatted(frame.label(), frame.sequence(), sequence));
      }
      return ResultRecord.decode(frame.body(), world);
    } catch (ProtocolViolation e) {
      throw BootstrapErrors.protocol(0, String.valueOf(e.getMessage()), call.label());
    }
  }

  private BootstrapException failure(Frame frame, String label) {
    try {
      return switch (frame.kind()) {
        case FAILURE -> FailureRecord.decode(frame.body());
        case LEAVE -> BootstrapErrors.lost(0, BoundedText.of(frame.body()), label);
        default -> throw new ProtocolViolation("frame out of turn: kind=" + frame.kind());
      };
    } catch (ProtocolViolation e) {
      return BootstrapErrors.protocol(0, String.valueOf(e.getMessage()), label);
    }
  }

  private @Nullable Frame receive(String label) {
    try {
      return root.receive(limits);
    } catch (ProtocolViolation e) {
      throw BootstrapErrors.protocol(0, String.valueOf(e.getMessage()), label);
    } catch (IOException e) {
      throw BootstrapErrors.ended(0, e, label);
    }
  }

  private void send(Frame frame, CollectiveCall call) {
    try {
      root.send(frame);
    } catch (IOException e) {
      throw lastWord(e, call.label());
    }
  }

  private void flush(String label) {
    try {
      root.flush();
    } catch (IOException e) {
      throw lastWord(e, label);
    }
  }

  private BootstrapException lastWord(IOException broken, String label) {
    Frame frame = receive(label);
    return frame == null ? BootstrapErrors.ended(0, broken, label) : failure(frame, label);
  }

  private void leave(String reason) {
    try {
      root.send(Frame.of(FrameKind.LEAVE, rank, reason));
    } catch (IOException e) {
      // Rank 0 is gone, or sees the connection end; either is enough.
    }
  }
}
