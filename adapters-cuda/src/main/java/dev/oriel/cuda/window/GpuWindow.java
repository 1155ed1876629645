package dev.oriel.cuda.window;

import dev.oriel.cuda.driver.Gpu;
import dev.oriel.domain.program.PacketImage;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.Packets;
import dev.oriel.ports.Window;
import dev.oriel.ports.setup.SlotTable;
import dev.oriel.ports.setup.SlotWindow;
import dev.oriel.ports.setup.Together;
import dev.oriel.ports.setup.Undo;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/** A window in GPU memory. Puts and gets are copies that have ended when their call returns. */
public final class GpuWindow extends SlotWindow implements Located {
  private final Bootstrap ranks;
  private final World world;
  private final List<Part> parts;
  private final GpuMemory own;
  private final Undo undo;

  /** The window that views of other lanes are of; this one in lane 0. */
  private final GpuWindow host;

  /** By lane; of the host alone. */
  private final Map<Integer, GpuWindow> views = new ConcurrentHashMap<>();

  private int extensions;

  GpuWindow(
      Membership member,
      SlotTable slots,
      Bootstrap ranks,
      World world,
      List<Part> parts,
      Undo undo) {
    super(member, slots);
    this.world = world;
    this.ranks = ranks;
    this.parts = parts;
    this.own = parts.get(ranks.rank()).data();
    this.undo = undo;
    this.host = this;
  }

  private GpuWindow(GpuWindow host, int lane) {
    super(host, lane);
    this.world = host.world;
    this.ranks = host.ranks;
    this.parts = host.parts;
    this.own = host.own;
    this.undo = host.undo;
    this.host = host;
  }

  /** The same window as that lane of this rank uses it. */
  GpuWindow in(int other) {
    return other == 0
        ? host
        : host.views.computeIfAbsent(other, number -> new GpuWindow(host, number));
  }

  /** Whether the rank of that group made it. */
  boolean isOf(Bootstrap group) {
    return ranks.equals(group);
  }

  /**
   * The window itself, which must be one of these.
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

  /** The GPU of this rank. */
  public Gpu gpu() {
    return own.gpu();
  }

  /** How many ranks of the window are on that GPU. */
  public int sharers() {
    return (int) parts.stream().filter(part -> part.data().gpu() == own.gpu()).count();
  }

  /** Whether somebody aborted the world. */
  public boolean aborted() {
    return isAborted();
  }

  /** Refuses to go on once it is closed, or the world was aborted. */
  public void requireLive() {
    requireOpen();
  }

  /** Where a rank's bytes are mapped on every GPU. */
  public long address(int rank, long offset, long length) {
    requirePeer(rank);
    return parts.get(rank).data().address("owner=" + rank, offset, length);
  }

  /** Where bytes of a buffer of this rank are. */
  public long address(LocalBuffer buffer, long offset, long length) {
    return Located.of(buffer, own).address("source", offset, length);
  }

  /**
   * More memory on each rank's GPU, zeroed, which lives as long as the window.
   *
   * <p>Scope: collective. Failure: the same message on every rank.
   *
   * @return where each rank's is mapped on every GPU
   */
  public List<Long> extend(long bytes) {
    requireOpen();
    requireHost();
    String step = "window " + generation() + ": extension " + extensions++;
    long address =
        Together.all(
            ranks,
            step,
            () -> {
              GpuMemory memory = new GpuMemory(own.gpu(), bytes);
              undo.add(memory::close);
              return memory.address("own", 0, bytes);
            });
    byte[] mine = ByteBuffer.allocate(Long.BYTES).putLong(address).array();
    return ranks.allGather(step + ": exchange", mine).stream()
        .map(theirs -> ByteBuffer.wrap(theirs).getLong())
        .toList();
  }

  @Override
  public GpuMemory memory() {
    requireOpen();
    return own;
  }

  @Override
  public void write(long offset, byte[] bytes) {
    requireOpen();
    own.write(offset, bytes);
  }

  @Override
  public byte[] read(long offset, int length) {
    requireNotClosed();
    return own.read(offset, length);
  }

  @Override
  public void put(int peer, long peerOffset, LocalBuffer from, long offset, long length) {
    long to = address(peer, peerOffset, length);
    own.gpu().copy(to, address(from, offset, length), length);
  }

  @Override
  public void get(int peer, long peerOffset, LocalBuffer into, long offset, long length) {
    long from = address(peer, peerOffset, length);
    own.gpu().copy(address(into, offset, length), from, length);
  }

  @Override
  protected void pack(int peer, Packets to, LocalBuffer from, long offset, long length) {
    GpuMemory source = Located.of(from, own);
    byte[] data = source.read(offset, Math.toIntExact(length));
    byte[] image = PacketImage.pack(to.format(), data, to.flag());
    long target = address(peer, to.offset(), image.length);
    // An engine copies in any order; the monitor is what keeps packets whole.
    world.change(() -> parts.get(peer).data().gpu().write(target, image));
  }

  @Override
  protected BooleanSupplier unpacking(Packets from, LocalBuffer into, long offset, long length) {
    GpuMemory target = Located.of(into, own);
    int bytes = Math.toIntExact(length);
    long ignored = target.address("target", offset, length);
    return () -> {
      byte[] image = own.read(from.offset(), Math.toIntExact(from.image(length)));
      boolean here = PacketImage.arrived(from.format(), image, from.flag());
      if (here) {
        target.write(offset, PacketImage.unpack(from.format(), image, bytes));
      }
      return here;
    };
  }

  @Override
  public void flush(int peer, Duration deadline) {
    Deadline.check(deadline);
    requirePeer(peer);
  }
}
