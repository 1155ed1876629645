package dev.oriel.cuda;

import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.HostMemory;
import dev.oriel.cuda.ptx.Kernel;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.program.Buffer;
import dev.oriel.ports.queue.DirectMemory;
import dev.oriel.ports.queue.ReachedMemory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One rank's memory. What peers reach is in one piece, on its GPU, or in the host's memory where
 * they reach it through an interface that reaches no GPU; what it has for itself is in another, on
 * its GPU.
 *
 * <pre>
 * | buffers, each at 256 bytes | slots | a word for each lane |
 * | lane lines | status |
 * </pre>
 */
final class RankMemory implements AutoCloseable {
  private static final int ALIGNMENT = 256;

  private final Gpu gpu;
  private final RankProgram rank;
  private final Map<String, Long> offsets = new LinkedHashMap<>();
  private final long slots;
  private final long lanes;
  private final long status;
  private final long sink;
  private final long size;
  private final Optional<HostMemory> host;
  private final long base;

  /**
   * @param hosted whether it is in the host's memory
   */
  RankMemory(Gpu gpu, RankProgram rank, boolean hosted) {
    this.gpu = gpu;
    this.rank = rank;
    int world = rank.program().world();
    long at = 0;
    for (Buffer b : rank.program().form().buffers()) {
      offsets.put(b.name(), at);
      at = aligned(at + rank.bytes(b.name()));
    }
    slots = at;
    int row = rank.program().form().signals().stream().mapToInt(s -> rank.slots(s.name())).sum();
    // A word of the slots is read back even where there is no signal.
    sink = aligned(at + (long) Math.max(1, row) * world * Kernel.LINE);
    size = sink + (long) Long.BYTES * rank.lanes().size();
    host = hosted ? Optional.of(new HostMemory(gpu, size)) : Optional.empty();
    base = host.isPresent() ? host.get().address() : gpu.allocate(size);
    long lines = (long) rank.lanes().size() * Kernel.LINE;
    try {
      lanes = gpu.allocate(lines + Long.BYTES);
    } catch (RuntimeException e) {
      free();
      throw e;
    }
    status = lanes + lines;
  }

  private static long aligned(long offset) {
    return Math.ceilDiv(offset, ALIGNMENT) * ALIGNMENT;
  }

  Gpu gpu() {
    return gpu;
  }

  RankProgram rank() {
    return rank;
  }

  /** What peers reach, as an interface of this process does. */
  ReachedMemory reached() {
    return host.isPresent()
        ? new DirectMemory(base, host.get().bytes())
        : new GpuReach(gpu, base, size);
  }

  long buffer(String name) {
    Long offset = offsets.get(name);
    if (offset == null) {
      throw new IllegalArgumentException(
          "unknown buffer: name=%s, form=%s; known: %s"
              .formatted(name, rank.program().form().name(), String.join(", ", offsets.keySet())));
    }
    return base + offset;
  }

  void write(String buffer, long offset, byte[] bytes) {
    long start = checked(buffer, offset, bytes.length);
    host.ifPresentOrElse(
        h -> h.bytes().put((int) (start - base), bytes), () -> gpu.write(start, bytes));
  }

  byte[] read(String buffer, long offset, int length) {
    long start = checked(buffer, offset, length);
    if (host.isEmpty()) {
      return gpu.read(start, length);
    }
    byte[] bytes = new byte[length];
    host.get().bytes().get((int) (start - base), bytes);
    return bytes;
  }

  /** The address of {@code length} bytes inside a buffer. */
  private long checked(String name, long offset, int length) {
    long start = buffer(name);
    long size = rank.bytes(name);
    if (offset < 0 || length < 0 || offset > size - length) {
      throw new IndexOutOfBoundsException(
          "bytes outside the buffer: rank=%d, buffer=%s, offset=%d, length=%d, size=%d; stay inside"
              .formatted(rank.rank(), name, offset, length, size));
    }
    return start + offset;
  }

  long slots() {
    return base + slots;
  }

  long lane(int instance) {
    return lanes + (long) instance * Kernel.LINE;
  }

  long status() {
    return status;
  }

  /** What a lane left there, which no later launch will find. */
  long takeStatus() {
    long found = gpu.readWord(status);
    if (found != 0) {
      gpu.write(status, new long[1]);
    }
    return found;
  }

  long sink() {
    return base + sink;
  }

  @Override
  public void close() {
    gpu.free(lanes);
    free();
  }

  private void free() {
    host.ifPresentOrElse(HostMemory::close, () -> gpu.free(base));
  }
}
