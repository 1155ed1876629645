package dev.oriel.cuda;

import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.PinnedHostMemory;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.ptx.PtxKernel;
import dev.oriel.cuda.ptx.RankLayout;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.ports.queue.DirectMemory;
import dev.oriel.ports.queue.ReachedMemory;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One rank's memory as it is mapped here, in one run on its GPU. The part that peers reach may
 * instead be in the host's memory, for an interface that reaches no GPU; the rest is then on the
 * GPU, in an allocation of its own. Buffers that the application lent stay where they are. {@link
 * RankLayout} gives the offsets.
 */
final class RankMemory {
  private final RankLayout layout;
  private final Map<String, Long> callerBuffers;
  private final long base;

  /** Where the part is that only the rank reaches. */
  private final long own;

  private final Optional<ByteBuffer> host;

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
   * @param callerBuffers where those buffers are mapped, by name
   */
  RankMemory(RankProgram rank, long base, Map<String, Long> callerBuffers) {
    this(rank, base, callerBuffers, OptionalLong.empty(), Optional.empty());
  }

  /**
   * Memory whose part that peers reach is in the host's memory.
   *
   * @param base where GPUs find that part
   * @param host the same as this process reaches it
   * @param own where the rest is mapped
   */
  private RankMemory(RankProgram rank, long base, ByteBuffer host, long own) {
    this(rank, base, Map.of(), OptionalLong.of(own), Optional.of(host));
  }

  private RankMemory(
      RankProgram rank,
      long base,
      Map<String, Long> callerBuffers,
      OptionalLong own,
      Optional<ByteBuffer> host) {
    this.layout = new RankLayout(rank, callerBuffers.keySet());
    this.base = base;
    this.callerBuffers = Map.copyOf(callerBuffers);
    this.own = own.orElse(base + layout.reached());
    this.host = host;
  }

  /**
   * A rank's memory whose part that peers reach is in the host's memory.
   *
   * @param owned receives both parts
   */
  static RankMemory hosted(RankProgram rank, Gpu gpu, ResourceStack owned) {
    PinnedHostMemory host = owned.add(new PinnedHostMemory(gpu, reached(rank)));
    return hosted(rank, gpu, host.address(), host.bytes(), owned);
  }

  /**
   * The same in host memory that exists.
   *
   * @param base where GPUs find it
   * @param host the same as this process reaches it
   * @param owned receives the part that only the rank reaches
   */
  static RankMemory hosted(
      RankProgram rank, Gpu gpu, long base, ByteBuffer host, ResourceStack owned) {
    long own = gpu.allocate(own(rank));
    owned.add(() -> gpu.free(own));
    return new RankMemory(rank, base, host, own);
  }

  /** Where the part that peers reach is mapped. */
  long base() {
    return base;
  }

  /** Bytes of a rank's memory that peers reach. */
  static long reached(RankProgram rank) {
    return new RankLayout(rank, Set.of()).reached();
  }

  /** Bytes of a rank's memory that only the rank itself reaches. */
  static long own(RankProgram rank) {
    return new RankLayout(rank, Set.of()).own();
  }

  /** Bytes of a rank's memory, without the buffers that its application lent. */
  static long bytes(RankProgram rank, Map<String, Long> callerBuffers) {
    RankLayout layout = new RankLayout(rank, callerBuffers.keySet());
    return layout.reached() + layout.own();
  }

  RankProgram rank() {
    return layout.rank();
  }

  long buffer(String name) {
    long offset = layout.buffer(name);
    Long elsewhere = callerBuffers.get(name);
    return elsewhere == null ? base + offset : elsewhere;
  }

  /** The memory that peers reach, as this process reaches it while kernels run. */
  ReachedMemory reached(Gpu gpu) {
    return host.isPresent()
        ? new DirectMemory(base, host.get())
        : new ReachedGpuMemory(gpu, base, layout.reached());
  }

  void write(Gpu gpu, String name, long offset, byte[] bytes) {
    long at = checked(name, offset, bytes.length);
    if (callerBuffers.containsKey(name)) {
      gpu.write(at, bytes);
    } else {
      reached(gpu).write(at - base, bytes);
    }
  }

  byte[] read(Gpu gpu, String name, long offset, int length) {
    long at = checked(name, offset, length);
    return callerBuffers.containsKey(name)
        ? gpu.read(at, length)
        : reached(gpu).read(at - base, length);
  }

  /** The address of {@code length} bytes inside a buffer, after a bounds check. */
  private long checked(String name, long offset, int length) {
    long start = buffer(name);
    long size = rank().bytes(name);
    if (offset < 0 || length < 0 || offset > size - length) {
      throw new IndexOutOfBoundsException(
          "bytes outside the buffer: rank=%d, buffer=%s, offset=%d, length=%d, size=%d; stay inside"
              .formatted(rank().rank(), name, offset, length, size));
    }
    return start + offset;
  }

  long slots() {
    return base + layout.slots();
  }

  long lane(int instance) {
    return own + RankLayout.lane(instance);
  }

  long status() {
    return own + layout.status();
  }

  /** The sink of the first lane: words for returned values; see {@link PtxKernel}. */
  long sink() {
    return base + layout.sink();
  }

  /** The lane with that line, as a message names it. */
  String lane(long line) {
    return layout.lane(line - own);
  }

  /** The memory at that address, as a message names it. */
  String place(long address) {
    if (address >= own && address < own + layout.status()) {
      return "the end of lane " + lane(address);
    }
    for (Map.Entry<String, Long> one : callerBuffers.entrySet()) {
      long at = address - one.getValue();
      if (at >= 0 && at < rank().bytes(one.getKey())) {
        return "%s[%d]".formatted(one.getKey(), at);
      }
    }
    return layout.reached(address - base);
  }
}
