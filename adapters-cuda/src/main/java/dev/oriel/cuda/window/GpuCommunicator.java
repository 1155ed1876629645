package dev.oriel.cuda.window;

import dev.oriel.cuda.driver.Resources;
import dev.oriel.cuda.driver.SharedMemory;
import dev.oriel.cuda.driver.SharedPages;
import dev.oriel.cuda.process.Polling;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.OwnerLayout;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowLayout;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Abort;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Lane;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import dev.oriel.ports.setup.LaneFailures;
import dev.oriel.ports.setup.Reached;
import dev.oriel.ports.setup.SlotLanes;
import dev.oriel.ports.setup.SlotTable;
import dev.oriel.ports.setup.SlotWindow;
import dev.oriel.ports.setup.Undo;
import dev.oriel.ports.setup.WindowSetup;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One rank's membership: it makes windows out of its GPU's memory, step by agreed step. */
final class GpuCommunicator implements Communicator {
  private final World world;
  private final Topology topology;
  private final Clock clock;
  private final Set<String> open = new TreeSet<>();
  private long windows;
  private int buffers;
  private boolean closed;

  GpuCommunicator(World world, Clock clock) {
    this.world = world;
    this.topology = Topology.grid(1, world.ranks().world());
    this.clock = clock;
  }

  @Override
  public int rank() {
    return world.ranks().rank();
  }

  @Override
  public int world() {
    return world.ranks().world();
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
    Part part = new Part(spec, generation, undo);
    return world
        .fate()
        .during(() ->
            WindowSetup.make(
                world.ranks(), "window " + generation, spec, topology, team, part, undo));
  }

  /** A window in the making. */
  private final class Part implements WindowSetup.Part<Window> {
    private final WindowSpec spec;
    private final long generation;
    private final Undo all;
    private final Resources owned = new Resources();
    private final int ofData = world.exchange(owned);
    private final int ofSlots = world.exchange(owned);
    private @Nullable SharedMemory data;
    private @Nullable SharedPages slots;
    private @Nullable GpuWindow made;

    Part(WindowSpec spec, long generation, Undo all) {
      this.spec = spec;
      this.generation = generation;
      this.all = all;
      all.add(owned::close);
    }

    /** Peers get files: there is nothing to tell. */
    @Override
    public byte[] allocate(Undo undo) {
      if (open.contains(spec.name())) {
        throw new MachineException(
            "window is open: name=" + spec.name() + "; close it first, or choose another name");
      }
      OwnerLayout layout = WindowLayout.of(spec, topology).owner(rank());
      data = world.onDevices().hand(ofData, layout.dataBytes(), owned);
      slots = world.onHosts().hand(ofSlots, Words.bytes(layout), owned);
      return new byte[0];
    }

    @Override
    public void connect(Reached reached) {
      // All memory of the world is mapped.
    }

    @Override
    public Window open(List<byte[]> exports, Reached reached, Undo undo) {
      WindowLayout layout = WindowLayout.of(spec, topology);
      List<Long> bytes = each(layout, OwnerLayout::dataBytes);
      List<SharedMemory> mapped =
          world.onDevices().take(ofData, Objects.requireNonNull(data), bytes, owned);
      List<GpuMemory> parts = new ArrayList<>();
      for (SharedMemory memory : mapped) {
        parts.add(new GpuMemory(world.device(), memory.address(), bytes.get(parts.size())));
      }
      List<SharedPages> pages =
          world
              .onHosts()
              .take(ofSlots, Objects.requireNonNull(slots), each(layout, Words::bytes), owned);
      open.add(spec.name());
      undo.add(() -> open.remove(spec.name()));
      SlotTable table =
          new SlotTable(
              new Polling(),
              world.fate(),
              layout,
              rank(),
              new Words(rank(), pages),
              reached,
              new SlotLanes(),
              0);
      SlotWindow.Membership member =
          new SlotWindow.Membership(
              world.ranks(), generation, spec, reached, world.fate(), clock, this::leave);
      GpuWindow window = new GpuWindow(member, table, world, parts, owned);
      made = window;
      return window;
    }

    private static List<Long> each(WindowLayout layout, ToLongFunction<OwnerLayout> bytes) {
      return IntStream.range(0, layout.topology().world())
          .mapToObj(rank -> bytes.applyAsLong(layout.owner(rank)))
          .toList();
    }

    private void leave() {
      Objects.requireNonNull(made).requireReleased();
      try {
        world.ranks().barrier("window " + generation + ": close");
      } finally {
        all.run();
      }
    }
  }

  @Override
  public LocalBuffer buffer(long bytes) {
    requireMember();
    GpuMemory memory =
        new GpuMemory(world.device(), world.device().allocate(Math.max(1, bytes)), bytes);
    LocalBuffer buffer = new GpuBuffer(memory, () -> buffers--);
    buffers++;
    return buffer;
  }

  /** A rank has one lane; what else runs at once are kernels. */
  @Override
  public void lanes(int count, Executor threads, Lane.Code code) throws TimeoutException {
    requireMember();
    LaneFailures.requireCount(count);
    if (count > 1) {
      throw new MachineException(
          "more lanes than the machine has: rank=%d, lanes=%d, max=1; make calls one after another, or persistent ones on several streams"
              .formatted(rank(), count));
    }
    code.run(OwnLane.ONE);
  }

  private enum OwnLane implements Lane {
    ONE;

    @Override
    public int number() {
      return 0;
    }

    @Override
    public Window window(Window window) {
      return GpuWindow.of(window);
    }

    @Override
    public LocalBuffer buffer(LocalBuffer buffer) {
      return buffer;
    }
  }

  @Override
  public Abort abort(String cause) {
    return world.fate().abort(new Abort(rank(), cause));
  }

  @Override
  public Optional<Abort> aborted() {
    return world.fate().aborted();
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
      world.close();
    }
  }
}
