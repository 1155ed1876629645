package dev.oriel.ibverbs.ucx;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.oriel.ibverbs.verbs.HostMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A rank's communication state of UCX: its address for peers, its memory, and its progress. Used by
 * one thread at a time.
 *
 * <p>Without an interface that does it, the library executes requests of peers in {@link
 * #progress}, on the thread that calls it.
 */
final class UcxWorker implements AutoCloseable {
  private final UcxLibrary library;
  private final MemorySegment context;
  private MemorySegment worker = MemorySegment.NULL;

  /**
   * Whether a connection has failed. The library (1.13) ends the process if it then handles what
   * else that peer had sent, so it is asked for no more progress.
   */
  private boolean stopped;

  /** Whether this rank leaves, so that peers may end their connections. */
  private boolean leaving;

  /** Whether a peer was lost before this rank closed its connections. */
  private boolean kept;

  private boolean closed;

  /**
   * Opens it.
   *
   * @throws dev.oriel.ports.MachineException if the library refuses
   */
  UcxWorker(UcxLibrary library) {
    this.library = library;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment asked = arena.allocate(UcxLayouts.Context.BYTES, Long.BYTES);
      asked.set(JAVA_LONG, UcxLayouts.MASK, UcxLayouts.Context.FEATURES_SET);
      asked.set(JAVA_LONG, UcxLayouts.Context.FEATURES, UcxLayouts.Context.RMA_AND_64_BIT_ATOMICS);
      MemorySegment made = arena.allocate(ADDRESS);
      library.check(
          "ucp_init",
          (byte)
              library.init.invokeExact(
                  UcxLayouts.MAJOR, UcxLayouts.MINOR, asked, MemorySegment.NULL, made));
      context = made.get(ADDRESS, 0);
      try {
        worker = worker(arena);
      } catch (RuntimeException e) {
        close();
        throw e;
      }
    } catch (Throwable e) {
      throw UcxLibrary.broken("ucp_init", e);
    }
  }

  private MemorySegment worker(Arena arena) {
    MemorySegment asked = arena.allocate(UcxLayouts.Worker.BYTES, Long.BYTES);
    asked.set(JAVA_LONG, UcxLayouts.MASK, UcxLayouts.Worker.THREADS_SET);
    asked.set(JAVA_INT, UcxLayouts.Worker.THREADS, UcxLayouts.Worker.SERIALIZED);
    MemorySegment made = arena.allocate(ADDRESS);
    try {
      library.check(
          "ucp_worker_create", (byte) library.createWorker.invokeExact(context, asked, made));
    } catch (Throwable e) {
      throw UcxLibrary.broken("ucp_worker_create", e);
    }
    return made.get(ADDRESS, 0);
  }

  UcxLibrary library() {
    return library;
  }

  MemorySegment pointer() {
    return worker;
  }

  /** The bytes by which a peer connects to this rank. */
  @SuppressWarnings("restricted")
  byte[] address() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment made = arena.allocate(ADDRESS);
      MemorySegment length = arena.allocate(JAVA_LONG);
      library.check(
          "ucp_worker_get_address", (byte) library.address.invokeExact(worker, made, length));
      MemorySegment address = made.get(ADDRESS, 0);
      byte[] bytes = address.reinterpret(length.get(JAVA_LONG, 0)).toArray(JAVA_BYTE);
      library.releaseAddress.invokeExact(worker, address);
      return bytes;
    } catch (Throwable e) {
      throw UcxLibrary.broken("ucp_worker_get_address", e);
    }
  }

  /** Memory that peers may access; {@code key} is what a peer needs for that. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Registered(MemorySegment handle, byte[] key) {}

  /** Gives peers access to memory. */
  @SuppressWarnings("restricted")
  Registered register(HostMemory memory) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment asked = arena.allocate(UcxLayouts.Memory.BYTES, Long.BYTES);
      asked.set(JAVA_LONG, UcxLayouts.MASK, UcxLayouts.Memory.ADDRESS_AND_LENGTH_SET);
      asked.set(JAVA_LONG, UcxLayouts.Memory.ADDRESS, memory.address());
      asked.set(JAVA_LONG, UcxLayouts.Memory.LENGTH, memory.bytes());
      MemorySegment made = arena.allocate(ADDRESS);
      library.check("ucp_mem_map", (byte) library.map.invokeExact(context, asked, made));
      MemorySegment handle = made.get(ADDRESS, 0);
      try {
        MemorySegment length = arena.allocate(JAVA_LONG);
        library.check(
            "ucp_rkey_pack", (byte) library.packKey.invokeExact(context, handle, made, length));
        MemorySegment packed = made.get(ADDRESS, 0);
        byte[] key = packed.reinterpret(length.get(JAVA_LONG, 0)).toArray(JAVA_BYTE);
        library.releaseKey.invokeExact(packed);
        return new Registered(handle, key);
      } catch (RuntimeException e) {
        deregister(handle);
        throw e;
      }
    } catch (Throwable e) {
      throw UcxLibrary.broken("ucp_mem_map", e);
    }
  }

  /** Ends the access of peers. */
  void deregister(MemorySegment handle) {
    try {
      library.check("ucp_mem_unmap", (byte) library.unmap.invokeExact(context, handle));
    } catch (Throwable e) {
      throw UcxLibrary.broken("ucp_mem_unmap", e);
    }
  }

  /** From now on a connection that ends is no failure. */
  void leave() {
    leaving = true;
  }

  /** Notes that a connection has ended; this is a failure unless this rank leaves. */
  void connectionEnded() {
    stopped |= !leaving;
  }

  /** Notes that the connections are closed from now on. */
  void closing() {
    kept |= stopped;
  }

  /** Ends all progress, since a peer is lost. */
  void stop() {
    stopped = true;
  }

  boolean isStopped() {
    return stopped;
  }

  /** Executes what has arrived; returns whether there was anything. */
  boolean progress() {
    try {
      return !stopped && (int) library.progress.invokeExact(worker) != 0;
    } catch (Throwable e) {
      throw UcxLibrary.broken("ucp_worker_progress", e);
    }
  }

  /** Orders all requests posted so far before all later ones. */
  void fence() {
    try {
      library.check("ucp_worker_fence", (byte) library.fence.invokeExact(worker));
    } catch (Throwable e) {
      throw UcxLibrary.broken("ucp_worker_fence", e);
    }
  }

  /**
   * Closes it. After the loss of a peer, requests are left under way, and the library (1.13) ends
   * the process if it is then asked to end the worker. So it keeps the worker, until the process
   * ends. A second call does nothing.
   */
  @Override
  public void close() {
    if (kept || closed) {
      return;
    }
    closed = true;
    try {
      if (worker.address() != 0) {
        library.destroyWorker.invokeExact(worker);
        worker = MemorySegment.NULL;
      }
      library.cleanup.invokeExact(context);
    } catch (Throwable e) {
      throw UcxLibrary.broken("ucp_cleanup", e);
    }
  }
}
