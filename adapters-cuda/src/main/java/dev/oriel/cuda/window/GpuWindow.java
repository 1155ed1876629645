package dev.oriel.cuda.window;

import dev.oriel.cuda.driver.DeviceMemory;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.driver.SharedMemory;
import dev.oriel.domain.packet.PacketImage;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import dev.oriel.ports.WindowPackets;
import dev.oriel.ports.setup.SlotTable;
import dev.oriel.ports.setup.SlotWindow;
import dev.oriel.ports.setup.StepAgreement;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A window in GPU memory. Puts and gets are synchronous copies. */
public final class GpuWindow extends SlotWindow<GpuMemory> {
  /** The most bytes of an array on any JVM; the host packs and unpacks in arrays. */
  private static final int ARRAY = Integer.MAX_VALUE - 8;

  private final SharedWorldState world;
  private final List<GpuMemory> parts;
  private final DeviceMemory device;
  private final ResourceStack owned;

  /** Accessed by the host thread only. */
  private int holders;

  /**
   * A window over mapped memory.
   *
   * @param parts of all ranks, as they are mapped here
   * @param owned freed with the window
   */
  GpuWindow(
      Membership member,
      SlotTable slots,
      SharedWorldState world,
      List<GpuMemory> parts,
      ResourceStack owned) {
    super(member, slots, GpuMemory.class, parts.get(member.ranks().rank()));
    this.world = world;
    this.parts = parts;
    this.device = own().device();
    this.owned = owned;
  }

  private GpuWindow(GpuWindow host, int lane) {
    super(host, lane);
    this.world = host.world;
    this.parts = host.parts;
    this.device = host.device;
    this.owned = host.owned;
  }

  @Override
  protected GpuWindow view(int other) {
    return new GpuWindow(this, other);
  }

  /**
   * The window as one of this class.
   *
   * @throws IllegalArgumentException if it is of another machine
   */
  public static GpuWindow of(Window window) {
    if (window instanceof GpuWindow gpu) {
      return gpu;
    }
    throw new IllegalArgumentException(
        "window of another machine: class=%s; make it on GPUs"
            .formatted(window.getClass().getSimpleName()));
  }

  /** The GPU of this rank, which is open as long as the rank is a member. */
  public Gpu gpu() {
    return world.gpu();
  }

  /** The memory of this rank's device, and of the peers' as it is mapped here. */
  public DeviceMemory device() {
    return device;
  }

  /** The identity of each rank's GPU, as {@link DeviceMemory#uuid} gives it. */
  public List<String> gpus() {
    return world.gpus();
  }

  /** The number of ranks of the window on that GPU. */
  public int sharers() {
    return world.sharers();
  }

  /** Whether any rank aborted the world. */
  public boolean aborted() {
    return isAborted();
  }

  /** Refuses a window that is closed, or whose world was aborted. */
  public void requireLive() {
    requireOpen();
  }

  /**
   * Keeps the window from being closed: kernels may use its memory until {@link #release}. Both are
   * for a rank's host thread, not for its lanes.
   */
  public void hold() {
    requireHost();
    holders++;
  }

  /** Ends {@link #hold}. */
  public void release() {
    requireHost();
    holders--;
  }

  @Override
  protected void requireUnused() {
    if (holders > 0) {
      throw new MachineException(
          "calls over the window are open: window=%s, rank=%d, holders=%d; close them first"
              .formatted(name(), rank(), holders));
    }
  }

  /** The address of a rank's bytes on this rank's GPU. */
  public long address(int rank, long offset, long length) {
    requirePeer(rank);
    return parts.get(rank).address("owner=" + rank, offset, length);
  }

  /** The address of bytes of a buffer of this rank. */
  public long address(LocalBuffer buffer, long offset, long length) {
    return memory(buffer).address("source", offset, length);
  }

  /**
   * Runs a step on every rank.
   *
   * <p>Scope: collective. Failure: the same message on every rank; a rank whose own step succeeded
   * undoes it.
   */
  public void agree(String step, Runnable part) {
    String name = "window %d: %s".formatted(generation(), step);
    Object ignored =
        StepAgreement.all(
            world.ranks(),
            name,
            () -> {
              part.run();
              return name;
            });
  }

  /**
   * Adds zeroed memory on each rank's GPU, which lives as long as the window.
   *
   * <p>Scope: collective. Failure: the same message on every rank.
   *
   * @param use what it is for, which all ranks must give alike
   * @return the addresses of all ranks' memory on this rank's GPU
   */
  public List<Long> extend(String use, long bytes) {
    requireOpen();
    requireHost();
    int number = world.exchange(owned);
    String step = "window %d: extension %d: %s".formatted(generation(), number, use);
    return world.onDevices().map(step, number, Collections.nCopies(world(), bytes), owned).stream()
        .map(SharedMemory::address)
        .toList();
  }

  @Override
  protected long start(int peer) {
    return address(peer, 0, 0);
  }

  @Override
  public void put(int peer, long peerOffset, LocalBuffer from, long offset, long length) {
    long to = address(peer, peerOffset, length);
    device.copy(to, address(from, offset, length), length);
  }

  @Override
  public void get(int peer, long peerOffset, LocalBuffer into, long offset, long length) {
    long from = address(peer, peerOffset, length);
    device.copy(address(into, offset, length), from, length);
  }

  @Override
  protected void pack(int peer, WindowPackets to, LocalBuffer from, long offset, long length) {
    int bytes = packed(to, length);
    GpuMemory source = memory(from);
    byte[] data = source.read(offset, bytes);
    long target = address(peer, to.offset(), to.image(length));
    // One copy writes its bytes in any order. The first pass writes the data with flags that do not
    // match, the second the flags.
    for (long flag : new long[] {~to.flag(), to.flag()}) {
      device.write(target, PacketImage.pack(to.format(), data, flag));
    }
  }

  @Override
  protected BooleanSupplier unpacking(
      WindowPackets from, LocalBuffer into, long offset, long length) {
    int bytes = packed(from, length);
    GpuMemory target = memory(into);
    long ignored = target.address("target", offset, length);
    return () -> {
      boolean here = PacketImage.arrived(from.format(), image(from, length), from.flag());
      if (here) {
        // Read again, after the flags: data that the first copy read may be older than its flags.
        target.write(offset, PacketImage.unpack(from.format(), image(from, length), bytes));
      }
      return here;
    };
  }

  /**
   * The length, after a check that its packets fit into one array; -1, which no bounds check
   * accepts, for a negative one.
   */
  private static int packed(WindowPackets packets, long length) {
    long limit = (long) (ARRAY / packets.format().bytes()) * packets.format().payload();
    if (length > limit) {
      throw new IllegalArgumentException(
          "packets too long: format=%s, length=%d, limit=%d; send it in parts"
              .formatted(packets.format(), length, limit));
    }
    return (int) Math.max(length, -1);
  }

  private byte[] image(WindowPackets from, long length) {
    return own().read(from.offset(), Math.toIntExact(from.image(length)));
  }

  @Override
  public void flush(int peer, Duration deadline) {
    Deadline.check(deadline);
    requirePeer(peer);
  }
}
