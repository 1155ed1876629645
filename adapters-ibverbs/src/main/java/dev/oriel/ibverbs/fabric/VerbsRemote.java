package dev.oriel.ibverbs.fabric;

import dev.oriel.ibverbs.post.RequestEffect;
import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ibverbs.post.WorkRequest.Local;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.Fabric;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.SpanChecks;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** A peer's registered bytes, reached through one queue pair. */
public final class VerbsRemote implements Fabric.Remote {
  /** The most bytes of one request; a longer transfer takes several. */
  public static final long PIECE = 1 << 20;

  private final VerbsFabric fabric;
  private final PeerConnections endpoint;
  private final SendQueue queue;
  private final WireMessage.Export memory;
  private final Clock clock;
  private final PollBackoff idle = new PollBackoff();
  private boolean closed;

  VerbsRemote(
      VerbsFabric fabric,
      PeerConnections endpoint,
      SendQueue queue,
      WireMessage.Export memory,
      Clock clock) {
    this.fabric = fabric;
    this.endpoint = endpoint;
    this.queue = queue;
    this.memory = memory;
    this.clock = clock;
  }

  @Override
  public long bytes() {
    return memory.size();
  }

  @Override
  public void put(long offset, Fabric.Memory from, long fromOffset, long length) {
    move(RequestEffect.WRITES, WorkRequest.Write::new, offset, from, fromOffset, length);
  }

  @Override
  public void get(long offset, Fabric.Memory into, long intoOffset, long length) {
    move(RequestEffect.READS, WorkRequest.Read::new, offset, into, intoOffset, length);
  }

  /** Makes a request between own memory and the peer's. */
  private interface Piece {
    WorkRequest of(
        long id, boolean signalled, boolean fenced, Local local, WorkRequest.Remote remote);
  }

  private void move(
      RequestEffect effect,
      Piece piece,
      long offset,
      Fabric.Memory here,
      long hereOffset,
      long length) {
    requireOpen();
    SpanChecks.check(where(), offset, length, memory.size());
    VerbsMemory mine = own(here);
    mine.local(hereOffset, length);
    for (long done = 0; done < length; done += PIECE) {
      Local local = mine.local(hereOffset + done, Math.min(PIECE, length - done));
      WorkRequest.Remote remote = at(offset + done);
      post(effect, (id, signalled, fenced) -> piece.of(id, signalled, fenced, local, remote));
    }
  }

  @Override
  public void wordRelease(long offset, long value) {
    requireOpen();
    SpanChecks.checkWord(where(), offset, memory.size());
    WorkRequest.Remote remote = at(offset);
    post(
        RequestEffect.WRITES,
        (id, signalled, fenced) -> new WorkRequest.WriteWord(id, signalled, fenced, value, remote));
  }

  /**
   * Compares a word of the peer's and swaps it if it has the expected value. This is atomic with
   * respect to all interfaces that do so through the same interface of the peer, and to nothing
   * else. After {@link #flush} the word of {@code into} holds the old value.
   *
   * @throws IndexOutOfBoundsException if a word leaves its memory or is not aligned to 8 bytes
   */
  public void compareSwap(
      long offset, long expected, long value, VerbsMemory into, long intoOffset) {
    requireOpen();
    SpanChecks.checkWord(where(), offset, memory.size());
    Local local = into.local(intoOffset, Long.BYTES);
    WorkRequest.Remote remote = at(offset);
    post(
        RequestEffect.CHANGES,
        (id, signalled, fenced) ->
            new WorkRequest.CompareSwap(id, signalled, fenced, expected, value, local, remote));
  }

  private WorkRequest.Remote at(long offset) {
    return new WorkRequest.Remote(memory.address() + offset, memory.keys().get(queue.number()));
  }

  /**
   * Whether so many requests can be posted without waiting for room; processes completions.
   *
   * @throws MachineException if the queue has failed
   */
  public boolean room(int requests) {
    requireOpen();
    boolean ignored = endpoint.progress();
    return queue.room(requests);
  }

  /** Requests a report of everything that was posted, for {@link #ended}; never waits. */
  public long ask() {
    requireOpen();
    boolean ignored = endpoint.progress();
    return queue.report();
  }

  /**
   * Whether the requests of a report have completed; processes completions.
   *
   * @throws MachineException if the queue has failed
   */
  public boolean ended(long last) {
    requireOpen();
    boolean ignored = endpoint.progress();
    return queue.ended(last);
  }

  /**
   * Waits for room. The wait is bounded: if the peer is gone, the queue fails after its retries.
   */
  private void post(RequestEffect effect, RequestDraft draft) {
    while (!queue.room(1)) {
      progress();
    }
    queue.post(effect, draft);
  }

  private void progress() {
    if (endpoint.progress()) {
      idle.busy();
    } else {
      if (Thread.currentThread().isInterrupted()) {
        throw new MachineException(
            "interrupted: peer=%d, under way=%s; nothing more is posted"
                .formatted(queue.peer(), queue.posted()));
      }
      idle.rest();
    }
  }

  @Override
  public void flush(Duration deadline) throws TimeoutException {
    Deadline until = Deadline.in(deadline, clock);
    long last = ask();
    while (!queue.ended(last)) {
      if (until.passed()) {
        throw new TimeoutException(
            "transfers not complete: peer=%d, waited=%s; see that the peer lives and the link is up"
                .formatted(queue.peer(), deadline));
      }
      progress();
    }
  }

  private static VerbsMemory own(Fabric.Memory memory) {
    if (memory instanceof VerbsMemory own) {
      return own;
    }
    throw new IllegalArgumentException(
        "memory of another machine: class=%s; pass what this fabric allocated"
            .formatted(memory.getClass().getSimpleName()));
  }

  private void requireOpen() {
    if (closed) {
      throw new MachineException(
          "access was closed: peer=" + queue.peer() + "; open the memory again");
    }
  }

  private String where() {
    return "owner=" + queue.peer();
  }

  @Override
  public void close() {
    fabric.change(() -> {
      if (!closed) {
        closed = true;
        fabric.released(0);
      }
    });
  }
}
