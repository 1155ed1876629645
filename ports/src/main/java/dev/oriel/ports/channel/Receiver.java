package dev.oriel.ports.channel;

import dev.oriel.domain.window.Comparison;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.Window;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * The receiving end of a channel, whose ring lies in the own part of the window.
 *
 * <p>A tile is credited once it was read, and before anything else is waited for: a rank that
 * forwards never keeps its predecessor waiting because its successor does.
 */
public final class Receiver {
  private static final Duration COPY = Duration.ofSeconds(20);

  private final End end;

  /** Bytes drained from the ring, in quanta. */
  private long received;

  /** The end at this rank of the channel from {@code peer}. */
  public Receiver(Window window, int peer, ChannelSpec spec) {
    this(window, peer, spec, CopyOp.PLAIN);
  }

  /** The end at this rank of a channel that does that to its messages. */
  public Receiver(Window window, int peer, ChannelSpec spec, CopyOp op) {
    this.end = new End(window, peer, spec, op);
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
      int bytes = end.next(received, length - done);
      long credit = ChannelSpec.credit(bytes);
      if (!end.reached(end.spec.data(), received + credit)) {
        return Progress.WAITING;
      }
      drain(bytes);
      end.window.signal(end.peer, end.spec.free(), credit);
      received += credit;
      done += end.message(bytes);
      return Progress.MOVED;
    }

    private void drain(int bytes) {
      long place = end.spec.place(received);
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

    void await(Duration patience) throws TimeoutException {
      long target = received + ChannelSpec.credit(end.next(received, length - done));
      end.window.await(end.peer, end.spec.data(), Comparison.REACHED, target, patience);
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
