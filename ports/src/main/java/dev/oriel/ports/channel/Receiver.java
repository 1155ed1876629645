package dev.oriel.ports.channel;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.Packets;
import dev.oriel.ports.Window;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * The receiving end of a channel, whose ring lies in the own part of the window.
 *
 * <p>A tile is credited once it was read, and before anything else is waited for: a rank that
 * forwards never keeps its predecessor waiting because its successor does.
 */
public final class Receiver {
  private static final Duration COPY = Duration.ofSeconds(20);

  /** So many bytes of a ring are zeroed at once at most. */
  private static final int ZEROED = 1 << 20;

  final End end;

  /** The end at this rank of the channel from {@code peer}. */
  public Receiver(Window window, int peer, ChannelSpec spec) {
    this(window, peer, spec, CopyOp.PLAIN);
  }

  /**
   * The end at this rank of a channel that does that to its messages. Tells the peer at once that
   * it is there, so make all ends before the first transfer. A ring of packets is zeroed: a barrier
   * must lie between what others put there before and this.
   *
   * @throws IndexOutOfBoundsException if a ring of packets leaves the own part
   * @throws dev.oriel.ports.MachineException if lines are to go over a link that is not mapped
   */
  public Receiver(Window window, int peer, ChannelSpec spec, CopyOp op) {
    this(window, peer, spec, op, Share.WHOLE);
  }

  Receiver(Window window, int peer, ChannelSpec spec, CopyOp op, Share share) {
    forget(window, peer, spec);
    this.end = new End(window, peer, spec, op, spec.free(), spec.data(), share.toString());
  }

  /**
   * Zeroes a ring of packets, before this end tells that it is there: flags begin anew with every
   * channel, so packets of an earlier one would be taken for its own. The sender puts nothing
   * before it has heard this end, whose word covers these writes.
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
   * Begins to receive exactly as many bytes as the sender sends.
   *
   * @throws IllegalStateException if a transfer is under way
   * @throws IllegalArgumentException if it is no whole number of elements
   * @throws IndexOutOfBoundsException if bytes leave the buffer, at the tile that does
   */
  public Transfer receive(LocalBuffer into, long offset, long length) {
    end.begin(length);
    return new Receiving(into, offset, length);
  }

  /**
   * Begins to receive, and to send on to the next rank what has come.
   *
   * @throws IllegalStateException if a transfer of either end is under way
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

    /** What the buffer held in front of the tile whose packets are being taken over it. */
    private Optional<byte[]> before = Optional.empty();

    Receiving(LocalBuffer into, long offset, long length) {
      this.into = into;
      this.offset = offset;
      this.length = length;
    }

    @Override
    public Progress step() {
      if (done == length) {
        if (!over) {
          over = true;
          end.end();
        }
        return Progress.DONE;
      }
      if (!end.agreed() || !came()) {
        return Progress.WAITING;
      }
      credit();
      return Progress.MOVED;
    }

    private int tile() {
      return end.next(length - done);
    }

    /** Whether the next tile has come; it lies in the buffer then. */
    private boolean came() {
      int bytes = tile();
      Optional<PacketFormat> format = end.packets();
      if (format.isPresent()) {
        keep(bytes);
        Packets from = end.cursor.packets(format.get());
        if (!end.window.takePackets(from, into, offset + done, bytes)) {
          return false;
        }
        combine(bytes);
        return true;
      }
      if (!end.reached(end.cursor.behind(end.image(bytes)))) {
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
        End.atOnce(() -> end.window.flush(self, COPY));
      } else {
        byte[] came = end.window.read(place, bytes);
        into.write(at, end.op.received(came, into.read(at, end.message(bytes))));
      }
    }

    /**
     * Packets are taken where the tile is to lie, so what stood there is kept for the operation.
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

    /** Waits until something can be done, and may do it. */
    void await(Duration patience) throws TimeoutException {
      if (!end.agreed()) {
        end.awaitOther(patience);
        return;
      }
      int bytes = tile();
      Optional<PacketFormat> format = end.packets();
      if (format.isPresent()) {
        keep(bytes);
        end.window.takePackets(
            end.cursor.packets(format.get()), into, offset + done, bytes, patience);
        combine(bytes);
        credit();
      } else {
        end.awaitReached(end.cursor.behind(end.image(bytes)), patience);
      }
    }

    @Override
    public void finish(Duration patience) throws TimeoutException {
      Progress progress = step();
      while (progress != Progress.DONE) {
        if (progress == Progress.WAITING) {
          await(patience);
        }
        progress = step();
      }
    }
  }

  /** First what comes, then what goes: each tile is credited before the next rank is waited for. */
  private record Forwarding(Receiving in, Transfer out) implements Transfer {

    @Override
    public Progress step() {
      Progress came = in.step();
      Progress went = out.step();
      if (came == Progress.DONE) {
        return went;
      }
      return came == Progress.MOVED || went == Progress.MOVED ? Progress.MOVED : Progress.WAITING;
    }

    @Override
    public void finish(Duration patience) throws TimeoutException {
      Progress progress = step();
      while (in.done < in.length) {
        if (progress == Progress.WAITING) {
          in.await(patience);
        }
        progress = step();
      }
      in.finish(patience);
      out.finish(patience);
    }
  }
}
