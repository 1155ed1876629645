package dev.oriel.ibverbs.verbs;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.oriel.domain.program.Atomic;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/** Zeroed bytes of this process at a fixed address; words are little-endian. */
public final class HostMemory implements AutoCloseable {
  private static final long PAGE = 4096;
  private static final VarHandle WORD = JAVA_LONG.varHandle();

  /** Freed with this object; nothing for memory of another owner. */
  private final Optional<Arena> arena;

  private final MemorySegment bytes;

  private HostMemory(Optional<Arena> arena, MemorySegment bytes) {
    this.arena = arena;
    this.bytes = bytes;
  }

  /**
   * Allocates so many bytes, from the start of a page on.
   *
   * @throws IllegalArgumentException if the number is negative
   * @throws MachineException if this process cannot have so many
   */
  public static HostMemory allocate(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("negative size: bytes=" + bytes + "; use 0 or more");
    }
    Arena arena = Arena.ofShared();
    try {
      return new HostMemory(
          Optional.of(arena), arena.allocate(Math.max(bytes, 1), PAGE).asSlice(0, bytes));
    } catch (OutOfMemoryError e) {
      arena.close();
      throw MachineException.lacking(
          "not enough memory: bytes=%d; ask for less, or free other memory of this host"
              .formatted(bytes));
    }
  }

  /** Memory that stays the caller's, given as a direct buffer. */
  public static HostMemory of(ByteBuffer direct) {
    return new HostMemory(Optional.empty(), MemorySegment.ofBuffer(direct.duplicate().clear()));
  }

  /**
   * Memory that the application allocated and keeps.
   *
   * @throws MachineException if this process cannot read and write all of it
   */
  @SuppressWarnings("restricted")
  public static HostMemory of(UserMemory user) {
    MappedRanges.require(user);
    return new HostMemory(
        Optional.empty(), MemorySegment.ofAddress(user.address()).reinterpret(user.bytes()));
  }

  /** The address of the first byte. */
  public long address() {
    return bytes.address();
  }

  /** The number of bytes. */
  public long bytes() {
    return bytes.byteSize();
  }

  /** Copies bytes in; ordered only by {@link #setRelease}. */
  public void write(long offset, byte[] from) {
    MemorySegment.copy(from, 0, bytes, JAVA_BYTE, offset, from.length);
  }

  /** Zeroes bytes; ordered as {@link #write} is. */
  public void zero(long offset, long length) {
    bytes.asSlice(offset, length).fill((byte) 0);
  }

  /** Copies bytes out into a new array; ordered only by {@link #getAcquire}. */
  public byte[] read(long offset, int length) {
    return bytes.asSlice(offset, length).toArray(JAVA_BYTE);
  }

  /**
   * Reads a word with acquire semantics: bytes that a device placed before it are visible to later
   * reads.
   */
  public long getAcquire(long offset) {
    return (long) WORD.getAcquire(bytes, offset);
  }

  /** Sets a word with release semantics. */
  public void setRelease(long offset, long value) {
    WORD.setRelease(bytes, offset, value);
  }

  /** Changes a word atomically for all threads of this host; returns the old value. */
  public long change(long offset, Atomic change, long operand, long compare) {
    return switch (change) {
      case FETCH -> getAcquire(offset);
      case SET -> (long) WORD.getAndSet(bytes, offset, operand);
      case ADD -> (long) WORD.getAndAdd(bytes, offset, operand);
      case CAS -> (long) WORD.compareAndExchange(bytes, offset, compare, operand);
    };
  }

  /** The memory as a direct buffer; not to be used after close. */
  public ByteBuffer buffer() {
    return bytes.asByteBuffer().order(ByteOrder.nativeOrder());
  }

  /** Frees it; a second call does nothing. Deregister it first. */
  @Override
  public void close() {
    arena.filter(a -> a.scope().isAlive()).ifPresent(Arena::close);
  }
}
