package dev.oriel.cuda.driver;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.oriel.ports.MachineException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Pages of the host shared between processes by an open file. They have no name, and vanish with
 * the last process that maps them.
 */
public final class SharedPages implements SharedMemory {
  /** Makes and opens such pages. */
  public static final Maker<SharedPages> MAKER =
      new Maker<>() {
        @Override
        public SharedPages share(long bytes) {
          return make(bytes);
        }

        @Override
        public SharedPages open(OpenDescriptor file, long bytes) {
          return new SharedPages(file, bytes, Optional.empty());
        }
      };

  private static final int CLOSE_ON_EXEC = 1;
  private static final VarHandle WORD = JAVA_LONG.varHandle();

  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;

  /** Present in the process that made the pages. */
  private final Optional<OpenDescriptor> file;

  private boolean closed;

  private SharedPages(OpenDescriptor from, long bytes, Optional<OpenDescriptor> file) {
    this.file = file;
    Path path = Path.of("/proc/self/fd/" + from.number());
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
    } catch (IOException e) {
      arena.close();
      throw new MachineException(
          "pages are not to be mapped: bytes=%d, reason=%s; see that /proc is mounted, and that there is memory"
              .formatted(bytes, e),
          e);
    }
  }

  private static SharedPages make(long bytes) {
    OpenDescriptor file;
    try (Arena scratch = Arena.ofConfined()) {
      file =
          new OpenDescriptor(
              Libc.MEMORY_FILE.demand(
                  "bytes=" + bytes, scratch.allocateFrom("oriel"), CLOSE_ON_EXEC));
    }
    try {
      return new SharedPages(file, bytes, Optional.of(file));
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  @Override
  public long address() {
    return memory.address();
  }

  @Override
  public long bytes() {
    return memory.byteSize();
  }

  @Override
  public OpenDescriptor export() {
    OpenDescriptor own =
        file.orElseThrow(() ->
            new IllegalStateException("pages were made by another process; export them there"));
    return new OpenDescriptor(Libc.DUPLICATE.demand("bytes=" + bytes(), own.number()));
  }

  /**
   * Reads a word with acquire semantics: the writes before the {@link #set} of its value are
   * visible.
   */
  public long get(long offset) {
    return (long) WORD.getAcquire(memory, offset);
  }

  /** Sets a word with release semantics. */
  public void set(long offset, long value) {
    WORD.setRelease(memory, offset, value);
  }

  /**
   * Sets a word if it is still 0: the first caller decides. Earlier writes of that caller become
   * visible with it.
   */
  public void decide(long offset, long value) {
    boolean ignored = WORD.compareAndSet(memory, offset, 0L, value);
  }

  /**
   * All of the pages, as this process reaches them; not to be used after close.
   *
   * @throws MachineException if they are too many
   */
  public ByteBuffer view() {
    if (bytes() > Integer.MAX_VALUE) {
      throw new MachineException(
          "host memory of that size is not to be had: bytes=%d, max=%d; use smaller buffers"
              .formatted(bytes(), Integer.MAX_VALUE));
    }
    return memory.asByteBuffer().order(ByteOrder.nativeOrder());
  }

  /** Copies bytes in, unordered with other accesses. */
  public void write(long offset, byte[] from) {
    MemorySegment.copy(from, 0, memory, JAVA_BYTE, offset, from.length);
  }

  /** Copies bytes out, unordered with other accesses. */
  public byte[] read(long offset, int length) {
    return memory.asSlice(offset, length).toArray(JAVA_BYTE);
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      file.ifPresent(OpenDescriptor::close);
      arena.close();
    }
  }
}
