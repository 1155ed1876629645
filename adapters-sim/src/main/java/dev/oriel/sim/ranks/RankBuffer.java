package dev.oriel.sim.ranks;

import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.setup.PartUse;
import dev.oriel.ports.setup.SpanChecks;
import dev.oriel.ports.setup.WindowPart;

/** Bytes of a rank's arena whose address no peer knows. */
final class RankBuffer implements WindowPart, ArenaBuffer {
  private final RankGroup group;
  private final long base;
  private final long bytes;
  private final Runnable onClose;
  private final PartUse use = new PartUse();

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
    use.requireOpen();
    return base;
  }

  /** Arenas have no addresses. */
  @Override
  public long address() {
    return 0;
  }

  @Override
  public PartUse use() {
    return use;
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
    if (use.close()) {
      onClose.run();
    }
  }
}
