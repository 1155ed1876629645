package dev.oriel.ibverbs.ucx;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.oriel.ports.MachineException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A connection to one peer. Requests return at once; {@link #flush} tells when they have completed.
 */
final class UcxEndpoint implements AutoCloseable {
  private static final int CLOSING_TURNS = 100_000;

  private final UcxWorker worker;
  private final UcxLibrary library;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment plain;
  private final MemorySegment fetching;
  private final MemorySegment operand;
  private final MemorySegment endpoint;

  /** The peer's keys by number. */
  private final SortedMap<Integer, MemorySegment> keys = new TreeMap<>();

  /** Why the connection has ended; the library tells it in {@link UcxWorker#progress}. */
  private int failure = UcxStatus.OK;

  /** Connects to the peer with that address; does not wait for it. */
  UcxEndpoint(UcxWorker worker, byte[] address, SortedMap<Integer, byte[]> packedKeys) {
    this.worker = worker;
    this.library = worker.library();
    plain = arena.allocate(UcxLayouts.Request.BYTES, Long.BYTES);
    fetching = arena.allocate(UcxLayouts.Request.BYTES, Long.BYTES);
    fetching.set(
        JAVA_INT, UcxLayouts.MASK, UcxLayouts.Request.TYPE_SET | UcxLayouts.Request.REPLY_SET);
    fetching.set(JAVA_LONG, UcxLayouts.Request.TYPE, UcxLayouts.Request.WORDS);
    operand = arena.allocate(JAVA_LONG);
    MemorySegment made = MemorySegment.NULL;
    try {
      made = connect(arena.allocateFrom(JAVA_BYTE, address));
    } finally {
      endpoint = made;
      if (made.address() == 0) {
        arena.close();
      }
    }
    try {
      learn(packedKeys);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** The numbers of the memories to which this rank has keys. */
  SortedSet<Integer> known() {
    return new TreeSet<>(keys.keySet());
  }

  /** Forgets the key to memory that the peer has closed; no request under way may use it. */
  void forget(int number) {
    MemorySegment key = keys.remove(number);
    if (key != null) {
      destroy(key);
    }
  }

  /** Adds the keys of memory that the peer has exported since. */
  void learn(SortedMap<Integer, byte[]> packedKeys) {
    packedKeys.forEach((number, packed) -> keys.computeIfAbsent(number, n -> key(packed)));
  }

  private MemorySegment connect(MemorySegment address) {
    try (Arena local = Arena.ofConfined()) {
      MemorySegment asked = local.allocate(UcxLayouts.Endpoint.BYTES, Long.BYTES);
      asked.set(JAVA_LONG, UcxLayouts.MASK, UcxLayouts.Endpoint.ADDRESS_AND_ERRORS_SET);
      asked.set(ADDRESS, UcxLayouts.Endpoint.ADDRESS, address);
      asked.set(JAVA_INT, UcxLayouts.Endpoint.ERRORS, UcxLayouts.Endpoint.PEER_FAILURES);
      asked.set(ADDRESS, UcxLayouts.Endpoint.HANDLER, handler());
      MemorySegment made = local.allocate(ADDRESS);
      library.check(
          "ucp_ep_create",
          (byte) library.createEndpoint.invokeExact(worker.pointer(), asked, made));
      return made.get(ADDRESS, 0);
    } catch (Throwable e) {
      throw UcxLibrary.broken("ucp_ep_create", e);
    }
  }

  @SuppressWarnings("restricted")
  private MemorySegment handler() throws ReflectiveOperationException {
    MethodHandle told =
        MethodHandles.lookup()
            .bind(
                this,
                "fail",
                MethodType.methodType(
                    void.class, MemorySegment.class, MemorySegment.class, byte.class));
    return Linker.nativeLinker()
        .upcallStub(told, FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, JAVA_BYTE), arena);
  }

  @SuppressWarnings({"unused", "UnusedVariable"}) // the arguments of the library's callback
  private void fail(MemorySegment argument, MemorySegment which, byte status) {
    failure = status;
    worker.connectionEnded();
  }

  /** The status with which the connection ended; {@link UcxStatus#OK} while it lasts. */
  int failure() {
    return failure;
  }

  private MemorySegment key(byte[] packed) {
    try (Arena local = Arena.ofConfined()) {
      MemorySegment made = local.allocate(ADDRESS);
      library.check(
          "ucp_ep_rkey_unpack",
          (byte)
              library.unpackKey.invokeExact(endpoint, local.allocateFrom(JAVA_BYTE, packed), made));
      return made.get(ADDRESS, 0);
    } catch (Throwable e) {
      throw UcxLibrary.broken("ucp_ep_rkey_unpack", e);
    }
  }

  private MemorySegment key(int number) {
    MemorySegment key = keys.get(number);
    if (key == null) {
      throw new MachineException(
          "no such memory of the peer: key=%d, keys=%s; connect after memory was exported"
              .formatted(number, keys.keySet()));
    }
    return key;
  }

  /** Copies bytes from this process to the peer's memory. */
  void put(long from, long bytes, long remote, int key) {
    try {
      release(
          "ucp_put_nbx",
          (long)
              library.put.invokeExact(
                  endpoint, MemorySegment.ofAddress(from), bytes, remote, key(key), plain));
    } catch (Throwable e) {
      throw UcxLibrary.broken("ucp_put_nbx", e);
    }
  }

  /**
   * Writes a word to the peer's first memory.
   *
   * @return the state of this write alone, for {@link #answer}
   */
  long putWord(long from, long remote) {
    try {
      return (long)
          library.put.invokeExact(
              endpoint, MemorySegment.ofAddress(from), (long) Long.BYTES, remote, key(0), plain);
    } catch (Throwable e) {
      throw UcxLibrary.broken("ucp_put_nbx", e);
    }
  }

  /** Copies bytes from the peer's memory to this process. */
  void get(long into, long bytes, long remote, int key) {
    try {
      release(
          "ucp_get_nbx",
          (long)
              library.get.invokeExact(
                  endpoint, MemorySegment.ofAddress(into), bytes, remote, key(key), plain));
    } catch (Throwable e) {
      throw UcxLibrary.broken("ucp_get_nbx", e);
    }
  }

  /** Adds to a word of the peer's; its old value arrives in {@code reply}. */
  void add(long addend, long reply, long remote, int key) {
    atomic(UcxLayouts.Request.ADD, addend, reply, remote, key);
  }

  /**
   * Compares a word of the peer's, and swaps it if it is equal. The word at {@code reply} holds the
   * new value until the old one arrives in it.
   */
  void compareSwap(long compare, long reply, long remote, int key) {
    atomic(UcxLayouts.Request.COMPARE_SWAP, compare, reply, remote, key);
  }

  private void atomic(int change, long value, long reply, long remote, int key) {
    operand.set(JAVA_LONG, 0, value);
    fetching.set(JAVA_LONG, UcxLayouts.Request.REPLY, reply);
    try {
      release(
          "ucp_atomic_op_nbx",
          (long)
              library.atomic.invokeExact(
                  endpoint, change, operand, 1L, remote, key(key), fetching));
    } catch (Throwable e) {
      throw UcxLibrary.broken("ucp_atomic_op_nbx", e);
    }
  }

  /** A later flush shows that a request has completed, so its own state is not kept. */
  private void release(String call, long returned) throws Throwable {
    if (UcxStatus.isError(returned)) {
      library.check(call, (int) returned);
    }
    if (UcxStatus.isRequest(returned)) {
      library.free.invokeExact(MemorySegment.ofAddress(returned));
    }
  }

  /**
   * Asks whether all requests so far have completed here and at the peer.
   *
   * @return the answer so far, for {@link #answer}
   */
  long flush() {
    try {
      return (long) library.flush.invokeExact(endpoint, plain);
    } catch (Throwable e) {
      throw UcxLibrary.broken("ucp_ep_flush_nbx", e);
    }
  }

  /** Forgets what a call returned, before its answer has come. */
  void drop(long returned) {
    if (UcxStatus.isRequest(returned)) {
      try {
        library.free.invokeExact(MemorySegment.ofAddress(returned));
      } catch (Throwable e) {
        throw UcxLibrary.broken("ucp_request_free", e);
      }
    }
  }

  /**
   * The status of what a call returned. Once it is no longer in progress, the value must not be
   * used again.
   */
  int answer(long returned) {
    if (!UcxStatus.isRequest(returned)) {
      return (int) returned;
    }
    MemorySegment request = MemorySegment.ofAddress(returned);
    try {
      int status = (byte) library.status.invokeExact(request);
      if (status != UcxStatus.IN_PROGRESS) {
        library.free.invokeExact(request);
      }
      return status;
    } catch (Throwable e) {
      throw UcxLibrary.broken("ucp_request_check_status", e);
    }
  }

  /** Breaks the connection without waiting for the peer; requests under way are dropped. */
  @Override
  public void close() {
    if (!worker.isStopped() && hasClosed()) {
      arena.close();
      destroyKeys();
    } else if (worker.isStopped()) {
      // Closing would need progress. The worker closes it, and may still call the handler.
      destroyKeys();
    }
  }

  /** Whether the library has closed the connection: it then uses neither keys nor handler. */
  private boolean hasClosed() {
    try (Arena local = Arena.ofConfined()) {
      MemorySegment asked = local.allocate(UcxLayouts.Request.BYTES, Long.BYTES);
      asked.set(JAVA_INT, UcxLayouts.MASK, UcxLayouts.Request.FLAGS_SET);
      asked.set(JAVA_INT, UcxLayouts.Request.FLAGS, UcxLayouts.Request.FORCE);
      long returned = (long) library.closeEndpoint.invokeExact(endpoint, asked);
      for (int i = 0; i < CLOSING_TURNS; i++) {
        if (answer(returned) != UcxStatus.IN_PROGRESS) {
          return true;
        }
        if (worker.isStopped()) {
          return false;
        }
        boolean _ = worker.progress();
      }
      return false;
    } catch (Throwable e) {
      throw UcxLibrary.broken("ucp_ep_close_nbx", e);
    }
  }

  private void destroyKeys() {
    keys.values().forEach(this::destroy);
    keys.clear();
  }

  private void destroy(MemorySegment key) {
    try {
      library.destroyKey.invokeExact(key);
    } catch (Throwable e) {
      throw UcxLibrary.broken("ucp_rkey_destroy", e);
    }
  }
}
