package dev.oriel.ports.channel;

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
 * <p>Invariant: {@code sent − drained ≤} the ring, where drained is what the receiver's slot has
 * said; so no put overwrites a tile before the receiver has read it. Cursors count bytes for as
 * long as the window lives and wrap like every counter.
 */
public final class Sender {
  private final End end;

  /** Bytes handed to the ring, in quanta. */
  private long sent;

  private long puts;

  private final Optional<LocalBuffer> stage;

  /** The end at this rank of the channel to {@code peer}. */
  public Sender(Window window, int peer, ChannelSpec spec) {
    this(window, peer, spec, CopyOp.PLAIN);
  }

  /**
   * The end at this rank of a channel that does that to its messages.
   *
   * @throws IllegalArgumentException if it needs a stage
   */
  public Sender(Window window, int peer, ChannelSpec spec, CopyOp op) {
    if (op.element() != op.wire()) {
      throw new IllegalArgumentException(
          "no stage: op=%s, bytes=%d; give a buffer for what goes into the ring"
              .formatted(op, spec.bytes()));
    }
    this.end = new End(window, peer, spec, op);
    this.stage = Optional.empty();
  }

  /**
   * The same, where what goes into the ring is first made in a buffer as long as the ring; what was
   * drained from the ring may be overwritten in it.
   */
  public Sender(Window window, int peer, ChannelSpec spec, CopyOp op, LocalBuffer stage) {
    if (stage.bytes() < spec.bytes()) {
      throw new IllegalArgumentException(
          "stage too short: bytes=%d, ring=%d; give a buffer as long as the ring"
              .formatted(stage.bytes(), spec.bytes()));
    }
    this.end = new End(window, peer, spec, op);
    this.stage = Optional.of(stage);
  }

  /**
   * Begins to send; the receiver receives as many bytes. The source may not change until the
   * transfer is done.
   *
   * @throws IllegalStateException if a transfer is under way
   * @throws IllegalArgumentException if it is no whole number of elements
   * @throws IndexOutOfBoundsException if bytes leave the buffer, at the tile that does
   */
  public Transfer send(LocalBuffer from, long offset, long length) {
    return send(from, offset, length, () -> length);
  }

  /** The same, where only the first so many bytes are there yet. */
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
    public Progress step() {
      if (over) {
        return Progress.DONE;
      }
      if (done == length) {
        over = end.drained(puts);
        if (over) {
          end.end();
        }
        return over ? Progress.DONE : Progress.POSTED;
      }
      int bytes = end.next(sent, length - done);
      boolean ready = there.getAsLong() - done >= end.message(bytes);
      if (!ready || !end.reached(end.spec.free(), needed(bytes))) {
        return Progress.WAITING;
      }
      put(bytes);
      puts++;
      end.window.signal(end.peer, end.spec.data(), ChannelSpec.credit(bytes));
      sent += ChannelSpec.credit(bytes);
      done += end.message(bytes);
      return Progress.MOVED;
    }

    private void put(int bytes) {
      long place = end.spec.place(sent);
      LocalBuffer source = from;
      long at = offset + done;
      if (stage.isPresent()) {
        source = stage.get();
        at = place - end.spec.base();
        source.write(at, end.op.sent(from.read(offset + done, end.message(bytes))));
      }
      end.window.putCounted(end.peer, place, source, at, bytes, end.spec.drained());
    }

    /** How far the receiver must have drained before so many bytes have room. */
    private long needed(int bytes) {
      return sent + ChannelSpec.credit(bytes) - end.spec.bytes();
    }

    @Override
    public void finish(Duration patience) throws TimeoutException {
      while (true) {
        switch (step()) {
          case DONE -> {
            return;
          }
          case POSTED ->
              end.window.awaitCounter(end.peer, end.spec.drained(), Comparison.EQ, puts, patience);
          case WAITING -> {
            long target = needed(end.next(sent, length - done));
            end.window.await(end.peer, end.spec.free(), Comparison.REACHED, target, patience);
          }
          case MOVED -> {
            // Goes on.
          }
        }
      }
    }
  }
}
