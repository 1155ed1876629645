package dev.oriel.cuda.window;

import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.UserMemory;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.OwnerLayout;
import dev.oriel.domain.window.SlotMemory;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowLayout;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Abort;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Lane;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import dev.oriel.ports.setup.Fate;
import dev.oriel.ports.setup.LaneThreads;
import dev.oriel.ports.setup.Reached;
import dev.oriel.ports.setup.SlotLanes;
import dev.oriel.ports.setup.SlotTable;
import dev.oriel.ports.setup.SlotWindow;
import dev.oriel.ports.setup.Undo;
import dev.oriel.ports.setup.WindowSetup;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLongArray;

/** One rank's membership: it makes windows out of its GPU's memory, step by agreed step. */
final class GpuCommunicator implements Communicator {
  private final Bootstrap ranks;
  private final Gpu gpu;
  private final Topology topology;
  private final World world;
  private final Fate fate;
  private final Clock clock;
  private final Runnable leave;
  private final LaneThreads lanes;
  private final Set<String> open = new TreeSet<>();
  private long windows;
  private int buffers;
  private boolean closed;

  GpuCommunicator(
      Bootstrap ranks,
      Gpu gpu,
      Topology topology,
      World world,
      Fate fate,
      Clock clock,
      Runnable leave) {
    this.ranks = ranks;
    this.gpu = gpu;
    this.topology = topology;
    this.world = world;
    this.fate = fate;
    this.clock = clock;
    this.leave = leave;
    this.lanes = new LaneThreads(ranks.rank());
  }

  @Override
  public int rank() {
    return ranks.rank();
  }

  @Override
  public int world() {
    return ranks.world();
  }

  @Override
  public Topology topology() {
    return topology;
  }

  @Override
  public Window window(WindowSpec spec, Team team) {
    requireMember();
    long generation = ++windows;
    Undo undo = new Undo();
    return fate.during(() ->
        WindowSetup.make(
            ranks,
            "window " + generation,
            spec,
            topology,
            team,
            new WindowSetup.Part<Window>() {
              @Override
              public byte[] allocate(Undo back) {
                return ByteBuffer.allocate(Long.BYTES).putLong(part(spec, back)).array();
              }

              @Override
              public void connect(Reached reached) {
                // All memory of the process is mapped on every GPU.
              }

              @Override
              public Window open(List<byte[]> exports, Reached reached, Undo back) {
                return opened(spec, generation, exports, reached, back);
              }
            },
            undo));
  }

  /** This rank's part, shown to the others. */
  private long part(WindowSpec spec, Undo undo) {
    if (open.contains(spec.name())) {
      throw new MachineException(
          "window is open: name=" + spec.name() + "; close it first, or choose another name");
    }
    OwnerLayout layout = WindowLayout.of(spec, topology).owner(rank());
    GpuMemory data = new GpuMemory(gpu, layout.dataBytes());
    undo.add(data::close);
    int slots = Math.toIntExact(layout.bytes(SlotMemory.NVLINK) / SlotMemory.NVLINK.stride());
    long number = world.show(new Part(data, new AtomicLongArray(slots)));
    undo.add(() -> world.hide(number));
    return number;
  }

  private Window opened(
      WindowSpec spec, long generation, List<byte[]> exports, Reached reached, Undo undo) {
    List<Part> parts =
        exports.stream()
            .map(export -> world.seen(ByteBuffer.wrap(export).getLong(), Part.class))
            .toList();
    open.add(spec.name());
    undo.add(() -> open.remove(spec.name()));
    Runnable close =
        () -> {
          try {
            ranks.barrier("window " + generation + ": close");
          } finally {
            undo.run();
          }
        };
    return new GpuWindow(
        new SlotWindow.Membership(ranks, generation, spec, reached, fate, clock, close),
        new SlotTable(
            world,
            fate,
            WindowLayout.of(spec, topology),
            rank(),
            new Part.Words(world, rank(), parts),
            reached,
            new SlotLanes(),
            0),
        ranks,
        world,
        parts,
        undo);
  }

  @Override
  public LocalBuffer buffer(long bytes) {
    requireMember();
    return counted(new GpuMemory(gpu, bytes));
  }

  /** What an app allocated, as a buffer. */
  LocalBuffer buffer(UserMemory memory) {
    requireMember();
    return counted(GpuMemory.of(gpu, memory));
  }

  private LocalBuffer counted(GpuMemory memory) {
    buffers++;
    return new GpuBuffer(memory, () -> buffers--);
  }

  /** Each lane is a thread that makes its own copies; what else runs at once are kernels. */
  @Override
  public void lanes(int count, Executor threads, Lane.Code code) throws TimeoutException {
    requireMember();
    fate.refuse(null);
    lanes.run(count, threads, number -> new GpuLane(number, ranks, gpu), code);
  }

  @Override
  public Abort abort(String cause) {
    return fate.abort(new Abort(rank(), cause));
  }

  @Override
  public Optional<Abort> aborted() {
    return fate.aborted();
  }

  private void requireMember() {
    if (closed) {
      throw new MachineException("communicator is closed: rank=" + rank() + "; join again");
    }
  }

  @Override
  public void close() {
    if (!open.isEmpty() || buffers > 0) {
      throw new MachineException(
          "windows or buffers are still open: rank=%d, windows=%s, buffers=%d; close them first"
              .formatted(rank(), open, buffers));
    }
    if (!closed) {
      closed = true;
      leave.run();
    }
  }
}
