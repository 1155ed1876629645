package dev.oriel.cuda.window;

import dev.oriel.cuda.driver.AllocationSharing;
import dev.oriel.cuda.driver.DeviceAllocation;
import dev.oriel.cuda.driver.DeviceFlag;
import dev.oriel.cuda.driver.DeviceMemory;
import dev.oriel.cuda.driver.ExportedAllocation;
import dev.oriel.cuda.driver.OpenDescriptor;
import dev.oriel.cuda.driver.OpenedAllocation;
import dev.oriel.cuda.driver.SharedMemory;
import dev.oriel.cuda.driver.SharedPages;
import dev.oriel.domain.registration.MemoryKind;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Stands in for a GPU by pages of the host, which processes map as they map a GPU's memory. Runs no
 * kernels.
 */
@SuppressWarnings("restricted")
public final class HostDevice implements DeviceMemory {
  /** Half of the smallest packet. */
  private static final long PIECE = 4;

  /**
   * The pause between two pieces of every second copy: other threads make several copies in the
   * meantime.
   */
  private static final long SLOW = 500_000;

  private static final VarHandle FLAG = ValueLayout.JAVA_LONG.varHandle();

  private final UUID uuid = UUID.randomUUID();
  private final ConcurrentNavigableMap<Long, Piece> allocated = new ConcurrentSkipListMap<>();
  private final AtomicLong ids = new AtomicLong();
  private final long bytes;
  private final AtomicLong left;

  /** Allocations of others that are mapped here. */
  private final AtomicLong mapped = new AtomicLong();

  private final boolean unordered;

  /**
   * A device with limited memory.
   *
   * @param bytes the most that peers may map
   */
  public HostDevice(long bytes) {
    this(bytes, false);
  }

  /** A device that copies piece by piece in any order, while other threads run. */
  static HostDevice unordered(long bytes) {
    return new HostDevice(bytes, true);
  }

  private HostDevice(long bytes, boolean unordered) {
    this.bytes = bytes;
    this.unordered = unordered;
    left = new AtomicLong(bytes);
  }

  @Override
  public UUID uuid() {
    return uuid;
  }

  @Override
  public SharedMemory share(long bytes) {
    long wanted = Math.max(1, bytes);
    if (left.addAndGet(-wanted) < 0) {
      left.addAndGet(wanted);
      throw new MachineException("no memory: bytes=" + bytes + "; ask for less");
    }
    return new Counted(SharedPages.MAKER.share(wanted), wanted);
  }

  @Override
  public SharedMemory open(OpenDescriptor file, long bytes) {
    return SharedPages.MAKER.open(file, bytes);
  }

  @Override
  public long allocate(long bytes) {
    SharedPages pages = SharedPages.MAKER.share(Math.max(1, bytes));
    allocated.put(pages.address(), new Piece(pages, ids.incrementAndGet()));
    return pages.address();
  }

  @Override
  public void free(long address) {
    Objects.requireNonNull(allocated.remove(address), "allocated").pages().close();
  }

  @Override
  public void write(long address, byte[] bytes) {
    move(at(address, bytes.length), MemorySegment.ofArray(bytes));
  }

  @Override
  public byte[] read(long address, int length) {
    byte[] bytes = new byte[length];
    move(MemorySegment.ofArray(bytes), at(address, length));
    return bytes;
  }

  @Override
  public void copy(long to, long from, long bytes) {
    move(at(to, bytes), at(from, bytes));
  }

  private void move(MemorySegment to, MemorySegment from) {
    if (!unordered) {
      to.copyFrom(from);
      return;
    }
    List<Long> pieces = new ArrayList<>();
    for (long at = 0; at < from.byteSize(); at += PIECE) {
      pieces.add(at);
    }
    Collections.shuffle(pieces);
    long pause = ThreadLocalRandom.current().nextBoolean() ? SLOW : 1;
    for (long at : pieces) {
      long length = Math.min(PIECE, from.byteSize() - at);
      to.asSlice(at, length).copyFrom(from.asSlice(at, length));
      LockSupport.parkNanos(pause);
    }
  }

  /** Allocated memory; other processes can map it. */
  private record Piece(SharedPages pages, long id) {}

  /** All memory is of the kind that is shared by files. */
  @Override
  public AllocationSharing sharing() {
    return new AllocationSharing() {
      @Override
      public int gpu() {
        return 0;
      }

      @Override
      public DeviceAllocation find(UserMemory memory) {
        Map.Entry<Long, Piece> below = allocated.floorEntry(memory.address());
        if (below == null
            || memory.address() - below.getKey() >= below.getValue().pages().bytes()) {
          throw new MachineException(
              "no memory at that address: address=%d; it was freed".formatted(memory.address()));
        }
        Piece piece = below.getValue();
        return new DeviceAllocation(
            0, below.getKey(), piece.pages().bytes(), piece.id(), MemoryKind.MAPPED);
      }

      @Override
      public void reach(int other, MemoryKind kind, long address) {
        throw new AssertionError("memory is shared by files, also in a process");
      }

      @Override
      public ExportedAllocation export(DeviceAllocation allocation) {
        Piece piece = Objects.requireNonNull(allocated.get(allocation.base()), "allocated");
        byte[] length = ByteBuffer.allocate(Long.BYTES).putLong(piece.pages().bytes()).array();
        return new ExportedAllocation(MemoryKind.MAPPED, length, List.of(piece.pages().export()));
      }

      @Override
      public OpenedAllocation open(ExportedAllocation exported) {
        SharedPages pages =
            SharedPages.MAKER.open(
                exported.files().getFirst(), ByteBuffer.wrap(exported.handle()).getLong());
        mapped.incrementAndGet();
        return new OpenedAllocation() {
          private boolean closed;

          @Override
          public long base() {
            return pages.address();
          }

          @Override
          public long bytes() {
            return pages.bytes();
          }

          @Override
          public void close() {
            if (!closed) {
              closed = true;
              mapped.decrementAndGet();
              pages.close();
            }
          }
        };
      }
    };
  }

  @Override
  public DeviceFlag flag() {
    long address = allocate(Long.BYTES);
    return new DeviceFlag() {
      @Override
      public long address() {
        return address;
      }

      @Override
      public void set(long value) {
        FLAG.setRelease(at(address, Long.BYTES), 0L, value);
      }

      @Override
      public void close() {
        free(address);
      }
    };
  }

  /** Refuses to close while some of its memory is left. */
  @Override
  public void close() {
    if (left.get() != bytes || !allocated.isEmpty() || mapped.get() != 0) {
      throw new MachineException(
          "memory is left: bytes=%d, allocations=%d, mapped=%d; close it before"
              .formatted(bytes - left.get(), allocated.size(), mapped.get()));
    }
  }

  private static MemorySegment at(long address, long bytes) {
    return MemorySegment.ofAddress(address).reinterpret(bytes);
  }

  private final class Counted implements SharedMemory {
    private final SharedPages pages;
    private final long counted;
    private boolean closed;

    Counted(SharedPages pages, long counted) {
      this.pages = pages;
      this.counted = counted;
    }

    @Override
    public long address() {
      return pages.address();
    }

    @Override
    public long bytes() {
      return pages.bytes();
    }

    @Override
    public OpenDescriptor export() {
      return pages.export();
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        pages.close();
        left.addAndGet(counted);
      }
    }
  }
}
