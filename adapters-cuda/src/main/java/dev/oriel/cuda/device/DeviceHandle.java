package dev.oriel.cuda.device;

import dev.oriel.cuda.driver.Device;
import dev.oriel.cuda.driver.DeviceFlag;
import dev.oriel.cuda.driver.DeviceMemory;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.process.StreamEnd;
import dev.oriel.cuda.window.GpuWindow;
import dev.oriel.ports.Clock;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * A window for kernels of the caller. Such a kernel includes {@link #header} and takes the struct
 * {@code oriel::Window} of {@link #words} by value; its operations put, get, signal, wait and meet
 * like those of {@link Window}, from threads, warps and blocks.
 *
 * <p>The slots of a handle are words in GPU memory of their own: {@link Window#signal} and {@link
 * Window#await} do not touch them. Several handles of one window have separate slots.
 *
 * <p>Used by the rank's host thread, except {@link #stop}, which any thread may call.
 */
public final class DeviceHandle implements AutoCloseable {
  /** Words of {@code oriel::Window}. */
  public static final int WORDS = 16;

  private static final long VERSION = 1;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final GpuWindow window;
  private final DeviceSlots slots;
  private final DeviceTables tables;
  private final Clock clock;
  private final long base;
  private final DeviceFlag abort;
  private Duration timeout = TIMEOUT;
  private boolean closed;

  private DeviceHandle(GpuWindow window, DeviceSlots slots, Clock clock) {
    this.window = window;
    this.slots = slots;
    this.clock = clock;
    tables = new DeviceTables(slots, window.world());
    List<Long> bases = window.extend("device, " + slots, tables.bytes());
    base = bases.get(window.rank());
    ResourceStack made = new ResourceStack();
    DeviceFlag[] flag = new DeviceFlag[1];
    try {
      window.agree(
          "device handle",
          () -> {
            flag[0] = made.add(window.device().flag());
            window.device().write(base + tables.peers(), peers(bases));
          });
    } catch (RuntimeException e) {
      throw made.closeSuppressing(e);
    }
    abort = flag[0];
    window.hold();
  }

  /**
   * Makes the handle, and its slots in the memory of all ranks' GPUs. The memory lives as long as
   * the window.
   *
   * <p>Scope: collective, with equal slots on every rank.
   *
   * @throws IllegalArgumentException if the window is of another machine
   * @throws MachineException on every rank, if two GPUs lack atomics on each other's memory, or
   *     memory is short
   */
  public static DeviceHandle over(Window window, DeviceSlots slots, Clock clock) {
    GpuWindow gpus = GpuWindow.of(window);
    gpus.agree("device handle: atomics", () -> requireAtomics(gpus));
    return new DeviceHandle(gpus, slots, clock);
  }

  /** Without atomics, two signals that are added at once may count as one. */
  private static void requireAtomics(GpuWindow window) {
    if (window.device() instanceof Gpu own) {
      for (Device other : Device.shown()) {
        if (window.gpus().contains(other.uuid().toString())) {
          own.device().requireAtomics(other, "signals of a device handle");
        }
      }
    }
  }

  private byte[] peers(List<Long> bases) {
    ByteBuffer table =
        ByteBuffer.allocate(window.world() * DeviceTables.PEER).order(ByteOrder.LITTLE_ENDIAN);
    int rank = window.rank();
    for (int peer = 0; peer < window.world(); peer++) {
      long bytes = window.bytes(peer);
      table.putLong(window.address(peer, 0, bytes)).putLong(bytes);
      boolean other = peer != rank;
      table.putLong(other ? bases.get(peer) + tables.signals(peer, rank) : 0);
      table.putLong(other ? bases.get(peer) + tables.arrivals(peer, rank) : 0);
    }
    return table.array();
  }

  /** The CUDA header that a kernel includes to use the struct. */
  public static String header() {
    try (InputStream in = DeviceHandle.class.getResourceAsStream("/device/oriel_device.cuh")) {
      if (in == null) {
        throw new AssertionError("the header is missing among the resources");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How long a wait of a kernel may last, for words taken from now on; a minute at first. */
  public void timeout(Duration each) {
    if (each.isNegative() || each.isZero()) {
      throw new IllegalArgumentException(
          "timeout is not positive: timeout=%s; give a wait some time".formatted(each));
    }
    timeout = each;
  }

  /**
   * The struct, as the 8-byte words of a kernel's parameter. A graph that captures a launch keeps
   * them; they stay valid until the handle is closed.
   */
  public long[] words() {
    requireOpen();
    window.requireLive();
    return new long[] {
      pair(VERSION, (long) WORDS * Long.BYTES),
      pair(window.rank(), window.world()),
      pair(slots.signals(), slots.barriers()),
      pair(slots.counters(), DeviceTables.LINE),
      window.generation(),
      base + tables.peers(),
      base,
      base + tables.arrivals(),
      base + tables.epochs(),
      base + tables.counters(),
      base + tables.steps(),
      base + tables.failure(),
      abort.address(),
      timeout.toNanos(),
      0,
      0
    };
  }

  private static long pair(long low, long high) {
    return high << Integer.SIZE | low;
  }

  /**
   * Waits until the caller's stream is idle; asks the kernels to give up once the deadline has
   * passed or the world was aborted.
   *
   * @param idle whether the stream has no more work
   * @return the first failure of this rank's kernels, if any
   * @throws dev.oriel.ports.AbortedException if the world was aborted
   * @throws MachineException if the stream does not become idle even then
   */
  public Optional<DeviceFailure> await(BooleanSupplier idle, Duration deadline) {
    requireOpen();
    boolean ignored = StreamEnd.asked(idle, window::aborted, this::stop, deadline, clock);
    window.requireLive();
    return failure();
  }

  /** The first failure of this rank's kernels since {@link #renew}, once they have ended. */
  public Optional<DeviceFailure> failure() {
    requireOpen();
    DeviceMemory device = window.device();
    byte[] words = device.read(base + tables.failure(), DeviceTables.FAILURE);
    return DeviceFailure.of(ByteBuffer.wrap(words).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer());
  }

  /** Asks this rank's kernels to give up: every wait of theirs ends soon. */
  public void stop() {
    abort.set(1);
  }

  /**
   * Forgets failure and {@link #stop}, for later kernels; none may run now. The slots keep their
   * values: ranks that went different ways need new handles.
   */
  public void renew() {
    requireOpen();
    window.device().write(base + tables.failure(), new byte[DeviceTables.FAILURE]);
    abort.set(0);
  }

  private void requireOpen() {
    if (closed) {
      throw new MachineException(
          "device handle is closed: window=%s, rank=%d, generation=%d; make another"
              .formatted(window.name(), window.rank(), window.generation()));
    }
  }

  /** No kernel that took the words may still run, nor any graph that keeps them. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      try (abort) {
        window.release();
      }
    }
  }
}
