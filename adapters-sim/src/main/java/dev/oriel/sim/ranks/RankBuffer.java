package dev.oriel.sim.ranks;

import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.SpanChecks;

/** Bytes of a rank's arena whose address no peer knows. */
final class RankBuffer implements LocalBuffer, ArenaBuffer {
  private final RankGroup group;
  private final long base;
  private final long bytes;
  private final Runnable onClose;
  private boolean closed;

  RankBuffer(RankGroup group, long base, long bytes, Runnable onClose) {
    this.group = group;
    this.base = base;
    this.bytes = bytes;
    this.onClose = onClose;
  }

  /** The same buffer as used by that lane of this rank. */
  LocalBuffer in(RankLane other) {
    return new RankBuffer(group.in(other), base(), bytes, other::requireHost);
  }

  @Override
  public RankLane lane() {
    return group.lane;
  }

  @Override
  public long base() {
    if (closed) {
      throw new MachineException("buffer is closed: rank=" + lane().rank + "; make another");
    }
    return base;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public void write(long offset, byte[] from) {
    SpanChecks.check("buffer", offset, from.length, bytes);
    LaneReply ignored = group.ask(LaneRequest.write(base() + offset, from));
  }

  @Override
  public byte[] read(long offset, int length) {
    SpanChecks.check("buffer", offset, length, bytes);
    return group
        .askAnyway(
            LaneRequest.transfer(LaneOperation.READ, lane().rank, 0, base() + offset, length))
        .bytes();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      onClose.run();
    }
  }
}
