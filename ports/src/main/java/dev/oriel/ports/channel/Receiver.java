package dev.oriel.ports.channel;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.Window;
import dev.oriel.ports.WindowPackets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * The receiving end of a channel, whose ring lies in the own part of the window.
 *
 * <p>A tile is credited as soon as it was read, before any other wait. A rank that forwards
 * therefore never delays its predecessor because of its successor.
 */
public final class Receiver {
  private static final Duration COPY = Duration.ofSeconds(20);

  /** The most bytes of a ring that are zeroed in one write. */
  private static final int ZEROED = 1 << 20;

  final ChannelEnd end;

  /** The end at this rank of the channel from {@code peer}. */
  public Receiver(Window window, int peer, ChannelSpec spec) {
    this(window, peer, spec, CopyOp.PLAIN);
  }

  /**
   * The end at this rank of a channel with that operation. Announces itself to the peer at once, so
   * create all ends before the first transfer. A ring of packets is zeroed: a barrier must separate
   * earlier puts of others to it from this call.
   *
   * @throws IndexOutOfBoundsException if a ring of packets leaves the own part
   * @throws dev.oriel.ports.MachineException if lines would go over a link that is not mapped
   */
  public Receiver(Window window, int peer, ChannelSpec spec, CopyOp op) {
    this(window, peer, spec, op, LaneShare.WHOLE);
  }

  Receiver(Window window, int peer, ChannelSpec spec, CopyOp op, LaneShare share) {
    forget(window, peer, spec);
    this.end = new ChannelEnd(window, peer, spec, op, spec.free(), spec.data(), share.toString());
  }

  /**
   * Zeroes a ring of packets before this end announces itself. Flags restart with every channel, so
   * packets of an earlier one could be mistaken for its own. The sender puts nothing before it has
   * seen this end's word, which covers these writes.
   */
  private static void forget(Window window, int peer, ChannelSpec spec) {
    if (spec.mode().packets().isEmpty() || !spec.mode().goesTo(window, peer)) {
      return;
    }
    for (long done = 0; done < spec.bytes(); done += ZEROED) {
      window.write(spec.base() + done, new byte[(int) Math.min(ZEROED, spec.bytes() - done)]);
    }
  }

  /**
   * Begins to receive; {@code length} must equal the length that the sender sends.
   *
   * @throws IllegalStateException if a transfer is in progress
   * @throws IllegalArgumentException if it is no whole number of elements
   * @throws IndexOutOfBoundsException if bytes leave the buffer, at the tile that does
   */
  public Transfer receive(LocalBuffer into, long offset, long length) {
    end.begin(length);
    return new Receiving(into, offset, length);
  }

  /**
   * Begins to receive, and to forward received bytes to the next rank.
   *
   * @throws IllegalStateException if a transfer of either end is in progress
   */
  public Transfer forward(LocalBuffer into, long offset, long length, Sender next) {
    end.begin(length);
    Receiving receiving = new Receiving(into, offset, length);
    try {
      return new Forwarding(receiving, next.send(into, offset, length, () -> receiving.done));
    } catch (IllegalStateException | IllegalArgumentException e) {
      end.end();
      throw e;
    }
  }

  private final class Receiving implements Transfer {
    private final LocalBuffer into;
    private final long offset;
    private final long length;
    private long done;
    private boolean over;

    /** The buffer's former bytes at the place of the tile whose packets overwrite it. */
    private Optional<byte[]> before = Optional.empty();

    Receiving(LocalBuffer into, long offset, long length) {
      this.into = into;
      this.offset = offset;
      this.length = length;
    }

    @Override
    public TransferProgress step() {
      if (done == length) {
        if (!over) {
          over = true;
          end.end();
        }
        return TransferProgress.DONE;
      }
      if (!end.agreed() || !came()) {
        return TransferProgress.WAITING;
      }
      credit();
      return TransferProgress.MOVED;
    }

    private int tile() {
      return end.next(length - done);
    }

    /** Whether the next tile has arrived; it is then in the buffer. */
    private boolean came() {
      int bytes = tile();
      Optional<PacketFormat> format = end.packets();
      if (format.isPresent()) {
        keep(bytes);
        WindowPackets from = end.cursor.packets(format.get());
        if (!end.window.takePackets(from, into, offset + done, bytes)) {
          return false;
        }
        combine(bytes);
        return true;
      }
      if (!end.reached(end.cursor.after(end.image(bytes)))) {
        return false;
      }
      drain(bytes);
      return true;
    }

    private void drain(int bytes) {
      long place = end.cursor.place();
      long at = offset + done;
      if (end.op instanceof CopyOp.Plain) {
        int self = end.window.rank();
        end.window.get(self, place, into, at, bytes);
        ChannelEnd.atOnce(() -> end.window.flush(self, COPY));
      } else {
        byte[] came = end.window.read(place, bytes);
        into.write(at, end.op.received(came, into.read(at, end.message(bytes))));
      }
    }

    /**
     * Packets are unpacked into the tile's place in the buffer, so the operation's other operand is
     * saved.
     */
    private void keep(int bytes) {
      if (before.isEmpty() && !(end.op instanceof CopyOp.Plain)) {
        before = Optional.of(into.read(offset + done, end.message(bytes)));
      }
    }

    private void combine(int bytes) {
      long at = offset + done;
      before.ifPresent(held -> into.write(at, end.op.received(into.read(at, bytes), held)));
      before = Optional.empty();
    }

    private void credit() {
      int bytes = tile();
      long image = end.image(bytes);
      end.window.signal(end.peer, end.spec.free(), image);
      end.cursor.advance(image);
      done += end.message(bytes);
    }

    /** Waits until a step is possible, and may perform it. */
    void await(Duration timeout) throws TimeoutException {
      if (!end.agreed()) {
        end.awaitOther(timeout);
        return;
      }
      int bytes = tile();
      Optional<PacketFormat> format = end.packets();
      if (format.isPresent()) {
        keep(bytes);
        end.window.takePackets(
            end.cursor.packets(format.get()), into, offset + done, bytes, timeout);
        combine(bytes);
        credit();
      } else {
        end.awaitReached(end.cursor.after(end.image(bytes)), timeout);
      }
    }

    @Override
    public void finish(Duration timeout) throws TimeoutException {
      TransferProgress progress = step();
      while (progress != TransferProgress.DONE) {
        if (progress == TransferProgress.WAITING) {
          await(timeout);
        }
        progress = step();
      }
    }
  }

  /** Receives first, then sends: each tile is credited before any wait for the next rank. */
  private record Forwarding(Receiving in, Transfer out) implements Transfer {

    @Override
    public TransferProgress step() {
      TransferProgress came = in.step();
      TransferProgress went = out.step();
      if (came == TransferProgress.DONE) {
        return went;
      }
      return came == TransferProgress.MOVED || went == TransferProgress.MOVED
          ? TransferProgress.MOVED
          : TransferProgress.WAITING;
    }

    @Override
    public void finish(Duration timeout) throws TimeoutException {
      TransferProgress progress = step();
      while (in.done < in.length) {
        if (progress == TransferProgress.WAITING) {
          in.await(timeout);
        }
        progress = step();
      }
      in.finish(timeout);
      out.finish(timeout);
    }
  }
}
