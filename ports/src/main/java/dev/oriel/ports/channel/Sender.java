package dev.oriel.ports.channel;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.packet.PacketImage;
import dev.oriel.domain.window.Comparison;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.Window;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * The sending end of a channel.
 *
 * <p>Invariant: {@code sent − drained ≤} the ring, where drained is the value of the receiver's
 * slot; so no put overwrites a tile before the receiver has read it. Cursors count bytes as long as
 * the window lives and wrap like every counter.
 */
public final class Sender {
  final ChannelEnd end;

  private final Optional<Stage> stage;

  /**
   * Whether packets are prepared in the stage and put unchanged: the link is a network interface.
   */
  private final boolean images;

  private long puts;

  /**
   * The buffer, from offset {@code from}, in which bytes for the ring are prepared; as long as the
   * ring.
   */
  record Stage(LocalBuffer buffer, long from) {}

  /** The end at this rank of the channel to {@code peer}. */
  public Sender(Window window, int peer, ChannelSpec spec) {
    this(window, peer, spec, CopyOp.PLAIN);
  }

  /**
   * The end at this rank of a channel with that operation. Announces itself to the peer at once, so
   * create all ends before the first transfer.
   *
   * @throws IllegalArgumentException if it needs a stage: for elements that are changed, and for
   *     packets over a link that is not mapped
   * @throws dev.oriel.ports.MachineException if lines would go over such a link
   */
  public Sender(Window window, int peer, ChannelSpec spec, CopyOp op) {
    this(window, peer, spec, op, Optional.empty(), LaneShare.WHOLE);
  }

  /**
   * The same with a stage: bytes for the ring are first prepared in a buffer as long as the ring. A
   * part of it may be overwritten once the same part of the ring was drained.
   */
  public Sender(Window window, int peer, ChannelSpec spec, CopyOp op, LocalBuffer stage) {
    this(window, peer, spec, op, stage, 0);
  }

  /** The same, with the bytes of a buffer from {@code from} on as the stage. */
  public Sender(
      Window window, int peer, ChannelSpec spec, CopyOp op, LocalBuffer stage, long from) {
    this(window, peer, spec, op, Optional.of(new Stage(stage, from)), LaneShare.WHOLE);
  }

  Sender(
      Window window,
      int peer,
      ChannelSpec spec,
      CopyOp op,
      Optional<Stage> stage,
      LaneShare share) {
    ChannelMode mode = spec.mode();
    this.images = mode.packets().isPresent() && mode.goesTo(window, peer) && !window.mapped(peer);
    requireStage(spec, op, stage, images, share);
    this.end = new ChannelEnd(window, peer, spec, op, spec.data(), spec.free(), share.toString());
    this.stage = stage;
  }

  private static void requireStage(
      ChannelSpec spec, CopyOp op, Optional<Stage> stage, boolean images, LaneShare share) {
    if (stage.isEmpty() && (images || op.prepares())) {
      throw new IllegalArgumentException(
          "no stage: op=%s, mode=%s, ring=%d, lanes=%d; give a buffer as long as all rings for what goes into them"
              .formatted(op, spec.mode(), spec.bytes(), share.lanes()));
    }
    // The stage must hold this lane's ring and those of the lanes after it. A stage for only some
    // of them is thus refused in every lane.
    long needed = spec.bytes() * (share.lanes() - share.number());
    if (stage.isPresent()
        && (stage.get().from() < 0 || stage.get().buffer().bytes() - stage.get().from() < needed)) {
      throw new IllegalArgumentException(
          "stage too short: bytes=%d, from=%d, ring=%d, lanes=%d; give a buffer as long as all rings"
              .formatted(
                  stage.get().buffer().bytes(), stage.get().from(), spec.bytes(), share.lanes()));
    }
  }

  /**
   * Begins to send; the receiver must receive as many bytes. The source must not change until the
   * transfer is done.
   *
   * @throws IllegalStateException if a transfer is in progress
   * @throws IllegalArgumentException if the length is not a whole number of elements
   * @throws IndexOutOfBoundsException if bytes leave the buffer, at the tile that does
   */
  public Transfer send(LocalBuffer from, long offset, long length) {
    return send(from, offset, length, () -> length);
  }

  /** The same, where only the first {@code there} bytes are available so far. */
  Transfer send(LocalBuffer from, long offset, long length, LongSupplier there) {
    end.begin(length);
    return new Sending(from, offset, length, there);
  }

  private final class Sending implements Transfer {
    private final LocalBuffer from;
    private final long offset;
    private final long length;
    private final LongSupplier there;
    private long done;
    private boolean over;

    Sending(LocalBuffer from, long offset, long length, LongSupplier there) {
      this.from = from;
      this.offset = offset;
      this.length = length;
      this.there = there;
    }

    @Override
    public TransferProgress step() {
      if (over) {
        return TransferProgress.DONE;
      }
      if (done == length) {
        over = drained();
        if (over) {
          end.end();
        }
        return over ? TransferProgress.DONE : TransferProgress.POSTED;
      }
      int bytes = end.next(length - done);
      boolean ready = there.getAsLong() - done >= end.message(bytes);
      if (!ready || !end.agreed() || !end.reached(needed(bytes))) {
        return TransferProgress.WAITING;
      }
      put(bytes);
      end.cursor.advance(end.image(bytes));
      done += end.message(bytes);
      return TransferProgress.MOVED;
    }

    /**
     * Whether all sources were read. Only counted puts read them later; stores read them at once.
     */
    private boolean drained() {
      if (end.packets().isPresent() && !images) {
        return true;
      }
      if (end.window.counterValue(end.peer, end.spec.drained()) != puts) {
        return false;
      }
      ChannelEnd.atOnce(() -> awaitDrained(ChannelEnd.AT_ONCE));
      return true;
    }

    private void awaitDrained(Duration timeout) throws TimeoutException {
      end.window.awaitCounter(end.peer, end.spec.drained(), Comparison.EQ, puts, timeout);
    }

    private void put(int bytes) {
      if (images) {
        putImage(bytes);
        return;
      }
      LocalBuffer source = from;
      long at = offset + done;
      if (stage.isPresent()) {
        source = stage.get().buffer();
        at = stage.get().from() + end.cursor.at();
        source.write(at, sent(bytes));
      }
      Optional<PacketFormat> format = end.packets();
      if (format.isPresent()) {
        end.window.putPackets(end.peer, end.cursor.packets(format.get()), source, at, bytes);
      } else {
        putCounted(source, at, bytes);
        end.window.signal(end.peer, end.spec.data(), end.image(bytes));
      }
    }

    private byte[] sent(int bytes) {
      return end.op.sent(from.read(offset + done, end.message(bytes)));
    }

    /**
     * Each aligned word of 8 bytes has its own flag, so the order of their arrival does not matter.
     * The link reads the stage before the receiver can take the packets, so the receiver's credit
     * also frees the place in the stage. At the end all of the stage was read, so it may be freed.
     */
    private void putImage(int bytes) {
      PacketFormat format = end.packets().orElseThrow();
      byte[] image = PacketImage.pack(format, sent(bytes), end.cursor.packets(format).flag());
      Stage made = stage.orElseThrow();
      long at = made.from() + end.cursor.at();
      made.buffer().write(at, image);
      putCounted(made.buffer(), at, image.length);
    }

    private void putCounted(LocalBuffer source, long at, int bytes) {
      long place = end.cursor.place();
      end.window.putCounted(end.peer, place, source, at, bytes, end.spec.drained());
      puts++;
    }

    /** The position that the receiver must have drained before {@code bytes} more fit. */
    private long needed(int bytes) {
      return end.cursor.after(end.image(bytes)) - end.spec.bytes();
    }

    @Override
    public void finish(Duration timeout) throws TimeoutException {
      while (true) {
        switch (step()) {
          case DONE -> {
            return;
          }
          case POSTED -> awaitDrained(timeout);
          case WAITING -> {
            if (end.agreed()) {
              end.awaitReached(needed(end.next(length - done)), timeout);
            } else {
              end.awaitOther(timeout);
            }
          }
          case MOVED -> {
            // The loop continues.
          }
        }
      }
    }
  }
}
