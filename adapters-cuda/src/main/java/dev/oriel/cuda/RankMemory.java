package dev.oriel.cuda;

import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.PinnedHostMemory;
import dev.oriel.cuda.ptx.PtxKernel;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.program.Buffer;
import dev.oriel.ports.queue.DirectMemory;
import dev.oriel.ports.queue.ReachedMemory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One rank's memory as it is mapped here, in one run on its GPU. The part that peers reach may
 * instead be in the host's memory, for an interface that reaches no GPU; the rest is then on the
 * GPU, in an allocation of its own. Buffers that the application lent stay where they are.
 *
 * <pre>
 * | buffers, each at 256 bytes | slots | a word for each lane |
 * | lane lines | status |
 * </pre>
 */
final class RankMemory {
  private static final int ALIGNMENT = 256;

  private final RankProgram rank;
  private final Map<String, Long> offsets = new LinkedHashMap<>();
  private final Map<String, Long> lent;
  private final long slots;
  private final long lanes;
  private final long status;
  private final long sink;
  private final long reached;
  private final long base;
  private final Optional<PinnedHostMemory> host;

  /**
   * Memory in one piece on the GPU.
   *
   * @param base where it is mapped
   */
  RankMemory(RankProgram rank, long base) {
    this(rank, base, Map.of());
  }

  /**
   * Memory of which some buffers are the application's.
   *
   * @param base where the rest is mapped
   * @param lent where those buffers are mapped, by name
   */
  RankMemory(RankProgram rank, long base, Map<String, Long> lent) {
    this(rank, base, lent, OptionalLong.empty(), Optional.empty());
  }

  /**
   * Memory whose part that peers reach is in the host's memory.
   *
   * @param own where the rest is mapped
   */
  RankMemory(RankProgram rank, PinnedHostMemory host, long own) {
    this(rank, host.address(), Map.of(), OptionalLong.of(own), Optional.of(host));
  }

  private RankMemory(
      RankProgram rank,
      long base,
      Map<String, Long> lent,
      OptionalLong own,
      Optional<PinnedHostMemory> host) {
    this.base = base;
    this.rank = rank;
    this.lent = Map.copyOf(lent);
    this.host = host;
    int world = rank.program().world();
    long at = 0;
    for (Buffer b : rank.program().form().buffers()) {
      offsets.put(b.name(), at);
      at = lent.containsKey(b.name()) ? at : aligned(at + rank.bytes(b.name()));
    }
    slots = at;
    int row = rank.program().form().signals().stream().mapToInt(s -> rank.slots(s.name())).sum();
    // At least one word: a read of the slots is posted even where there is no signal.
    sink = aligned(at + (long) Math.max(1, row) * world * PtxKernel.LINE);
    reached = aligned(sink + (long) PtxKernel.SINK * rank.lanes().size());
    lanes = own.orElse(base + reached);
    status = lanes + (long) rank.lanes().size() * PtxKernel.LINE;
  }

  /** Bytes of a rank's memory that peers reach. */
  static long reached(RankProgram rank) {
    return new RankMemory(rank, 0).reached;
  }

  /** Bytes of a rank's memory that only the rank itself reaches. */
  static long own(RankProgram rank) {
    return (long) rank.lanes().size() * PtxKernel.LINE + Long.BYTES;
  }

  /** Bytes of a rank's memory, without the buffers that its application lent. */
  static long bytes(RankProgram rank, Map<String, Long> lent) {
    return new RankMemory(rank, 0, lent).reached + own(rank);
  }

  private static long aligned(long offset) {
    return Math.ceilDiv(offset, ALIGNMENT) * ALIGNMENT;
  }

  RankProgram rank() {
    return rank;
  }

  long buffer(String name) {
    Long offset = offsets.get(name);
    if (offset == null) {
      throw new IllegalArgumentException(
          "unknown buffer: name=%s, form=%s; known: %s"
              .formatted(name, rank.program().form().name(), String.join(", ", offsets.keySet())));
    }
    Long elsewhere = lent.get(name);
    return elsewhere == null ? base + offset : elsewhere;
  }

  /** The memory that peers reach, as this process reaches it while kernels run. */
  ReachedMemory reached(Gpu gpu) {
    return host.isPresent()
        ? new DirectMemory(base, host.get().bytes())
        : new ReachedGpuMemory(gpu, base, reached);
  }

  void write(Gpu gpu, String name, long offset, byte[] bytes) {
    long at = checked(name, offset, bytes.length);
    if (lent.containsKey(name)) {
      gpu.write(at, bytes);
    } else {
      reached(gpu).write(at - base, bytes);
    }
  }

  byte[] read(Gpu gpu, String name, long offset, int length) {
    long at = checked(name, offset, length);
    return lent.containsKey(name) ? gpu.read(at, length) : reached(gpu).read(at - base, length);
  }

  /** The address of {@code length} bytes inside a buffer, after a bounds check. */
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
    return lanes + (long) instance * PtxKernel.LINE;
  }

  long status() {
    return status;
  }

  /** The sink of the first lane: words for returned values; see {@link PtxKernel}. */
  long sink() {
    return base + sink;
  }
}
