package dev.oriel.ibverbs.ucx;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.oriel.ibverbs.fabric.SendQueue;
import dev.oriel.ibverbs.fabric.WorkRequestSink;
import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ports.MachineException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * Gives an endpoint the order of a queue of RDMA requests.
 *
 * <p>UCX orders nothing between two requests. Here a fence precedes each request, so writes are
 * placed in the order of posting. A fenced request waits for a flush that follows the last read or
 * atomic. A completion is reported after a flush: it then covers all earlier requests.
 */
final class UcxQueue implements WorkRequestSink, AutoCloseable {
  private final UcxWorker worker;
  private final UcxEndpoint endpoint;
  private final SendQueue queue;
  private final int depth;
  private final Arena arena = Arena.ofShared();

  /**
   * The words that requests carry themselves, by the request's number. Credits bound how many are
   * in use.
   */
  private final MemorySegment words;

  /** Requests that wait for earlier reads and atomics. */
  private final Deque<WorkRequest> held = new ArrayDeque<>();

  private final Deque<Flush> flushes = new ArrayDeque<>();

  /** The number of requests that were started, and that number at the last read or atomic. */
  private long started;

  private long fetched;

  /** All reads and atomics up to that number of started requests have completed. */
  private long awaited;

  /** Keys to memory that the peer has closed. A request under way may still use one. */
  private final Deque<ClosedMemory> closed = new ArrayDeque<>();

  /** Whether a flush for the first held request, or for a closed memory, is under way. */
  private boolean draining;

  /**
   * A flush under way.
   *
   * @param id the request whose completion it reports, or 0 if it reports none
   * @param started the number of requests that it covers
   */
  private record Flush(long id, long started, long returned) {}

  /**
   * Memory that the peer has closed.
   *
   * @param started the number of requests that may use it
   */
  private record ClosedMemory(int number, long started) {}

  UcxQueue(UcxWorker worker, UcxEndpoint endpoint, int peer, int depth) {
    this.worker = worker;
    this.endpoint = endpoint;
    this.depth = depth;
    this.words = arena.allocate(JAVA_LONG, depth);
    this.queue = new SendQueue(peer, 0, depth, this);
  }

  SendQueue queue() {
    return queue;
  }

  /**
   * {@inheritDoc}
   *
   * @throws MachineException if the peer is lost: the library must not be asked for it any more
   */
  @Override
  public void post(WorkRequest work) {
    if (isLost()) {
      throw new MachineException(queue.failure().orElseThrow());
    }
    if (held.isEmpty() && mayStart(work)) {
      start(work);
    } else {
      held.add(work);
    }
  }

  private boolean mayStart(WorkRequest work) {
    return !work.fenced() || awaited >= fetched;
  }

  private void start(WorkRequest work) {
    if (started > 0) {
      worker.fence();
    }
    execute(work);
    started++;
    if (work instanceof WorkRequest.Read
        || work instanceof WorkRequest.FetchAdd
        || work instanceof WorkRequest.CompareSwap) {
      fetched = started;
    }
    if (work.signalled()) {
      flush(work.id());
    }
  }

  private void flush(long id) {
    flushes.add(new Flush(id, started, endpoint.flush()));
  }

  private void execute(WorkRequest work) {
    switch (work) {
      case WorkRequest.Write(var _, var _, var _, var local, var remote) -> {
        if (local.bytes() > 0) {
          endpoint.put(local.address(), local.bytes(), remote.address(), remote.key());
        }
      }
      case WorkRequest.WriteWord(var id, var _, var _, var value, var remote) ->
          endpoint.put(word(id, value), Long.BYTES, remote.address(), remote.key());
      case WorkRequest.Read(var _, var _, var _, var local, var remote) ->
          endpoint.get(local.address(), local.bytes(), remote.address(), remote.key());
      case WorkRequest.FetchAdd(var _, var _, var _, var addend, var local, var remote) ->
          endpoint.add(addend, local.address(), remote.address(), remote.key());
      case WorkRequest.CompareSwap(
              var _,
              var _,
              var _,
              var compare,
              var swap,
              var local,
              var remote) -> {
        store(local.address(), swap);
        endpoint.compareSwap(compare, local.address(), remote.address(), remote.key());
      }
      case WorkRequest.Send _, WorkRequest.WriteImmediate _ ->
          throw new MachineException(
              "request that needs a receive: request=%d; no program asks for one over UCX"
                  .formatted(work.id()));
    }
  }

  private long word(long id, long value) {
    long slot = id % depth;
    words.setAtIndex(JAVA_LONG, slot, value);
    return words.address() + slot * Long.BYTES;
  }

  @SuppressWarnings("restricted")
  private static void store(long address, long value) {
    MemorySegment.ofAddress(address).reinterpret(Long.BYTES).set(JAVA_LONG, 0, value);
  }

  /** Processes what has completed, and starts what no longer has to wait. */
  boolean progress() {
    boolean any = false;
    while (!flushes.isEmpty()) {
      Flush first = flushes.getFirst();
      int status = endpoint.answer(first.returned);
      if (status == UcxStatus.IN_PROGRESS) {
        break;
      }
      any = true;
      flushes.removeFirst();
      if (status == UcxStatus.OK) {
        awaited = first.started;
        if (first.id == 0) {
          draining = false;
        } else {
          queue.completed(first.id);
        }
      } else {
        lose(status);
      }
    }
    if (isLost()) {
      return any;
    }
    try {
      while (!held.isEmpty() && mayStart(held.getFirst())) {
        start(held.removeFirst());
        any = true;
      }
      while (!closed.isEmpty() && awaited >= closed.getFirst().started) {
        endpoint.forget(closed.removeFirst().number);
        any = true;
      }
      if (!draining && !(held.isEmpty() && closed.isEmpty())) {
        draining = true;
        flush(0);
      }
    } catch (MachineException e) {
      // The lane that posted the request learns it from the queue.
      queue.failed(String.valueOf(e.getMessage()));
    }
    return any;
  }

  /** Whether no posted request waits here for an earlier one. */
  boolean hasStarted() {
    return held.isEmpty() || isLost();
  }

  /**
   * Takes the keys of all memory that the peer exported when it made an offer. Numbers only rise:
   * what has a greater one may be newer than the offer, and stays.
   */
  void learn(SortedMap<Integer, byte[]> keys) {
    endpoint.learn(keys);
    SortedSet<Integer> gone = endpoint.known();
    gone.removeIf(number -> keys.isEmpty() || number > keys.lastKey());
    gone.removeAll(keys.keySet());
    closed.forEach(memory -> gone.remove(memory.number));
    gone.forEach(number -> closed.add(new ClosedMemory(number, started)));
  }

  /** The numbers of the peer's memories to which this rank has keys. */
  SortedSet<Integer> known() {
    return endpoint.known();
  }

  /** Why the peer is lost, once it is. */
  Optional<String> failure() {
    boolean ignored = isLost();
    return queue.failure();
  }

  private boolean isLost() {
    if (endpoint.failure() != UcxStatus.OK) {
      lose(endpoint.failure());
    }
    return queue.failure().isPresent();
  }

  private void lose(int status) {
    queue.failed(
        "peer is lost: peer=%d, status=%d: %s; see that it lives and the network is up"
            .formatted(queue.peer(), status, worker.library().words(status)));
  }

  @Override
  public void close() {
    flushes.forEach(flush -> endpoint.drop(flush.returned));
    flushes.clear();
    endpoint.close();
    arena.close();
  }
}
