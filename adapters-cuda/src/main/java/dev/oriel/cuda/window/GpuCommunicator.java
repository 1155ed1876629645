package dev.oriel.cuda.window;

import dev.oriel.cuda.driver.DeviceMemory;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.driver.SharedMemory;
import dev.oriel.cuda.driver.SharedPages;
import dev.oriel.cuda.process.AllocationExchange.MappedAllocation;
import dev.oriel.cuda.process.PollingWaitStrategy;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.OwnerLayout;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowLayout;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Clock;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.Window;
import dev.oriel.ports.setup.MachineBuffer;
import dev.oriel.ports.setup.OwnBuffer;
import dev.oriel.ports.setup.RdmaPeers;
import dev.oriel.ports.setup.SlotCommunicator;
import dev.oriel.ports.setup.UndoStack;
import dev.oriel.ports.setup.WindowErrors;
import dev.oriel.ports.setup.WindowPart;
import dev.oriel.ports.setup.WindowSetup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One rank's membership: it makes windows out of its GPU's memory, in steps on which all ranks
 * agree. Each lane is a host thread that makes its own copies; only kernels run concurrently with
 * it.
 */
final class GpuCommunicator extends SlotCommunicator {
  private final SharedWorldState world;

  GpuCommunicator(SharedWorldState world, Clock clock) {
    super(world.ranks(), Topology.grid(1, world.ranks().world()), world.fate(), clock);
    this.world = world;
  }

  @Override
  protected WindowSetup.Part<Window> part(
      WindowSpec spec, Team peers, long generation, Optional<WindowPart> given, UndoStack undo) {
    return new Part(spec, generation, given, undo);
  }

  /** A window during its collective creation. */
  private final class Part implements WindowSetup.Part<Window> {
    private static final String NAME = "part";

    private final WindowSpec spec;
    private final long generation;
    private final Optional<WindowPart> given;
    private final UndoStack all;
    private final ResourceStack owned = new ResourceStack();
    private final int ofData = world.exchange(owned);
    private final int ofSlots = world.exchange(owned);
    private @Nullable SharedMemory data;
    private @Nullable SharedPages slots;

    Part(WindowSpec spec, long generation, Optional<WindowPart> given, UndoStack all) {
      this.spec = spec;
      this.generation = generation;
      this.given = given;
      this.all = all;
      all.add(owned::close);
    }

    /** Peers get open files, and the description of memory that the caller gave. */
    @Override
    public byte[] allocate(UndoStack undo) {
      OwnerLayout layout = WindowLayout.of(spec, topology()).owner(rank());
      slots = world.onHosts().hand(ofSlots, PageSlotWords.bytes(layout), owned);
      if (given.isPresent()) {
        GpuMemory mine = own(given.get());
        Map<String, UserMemory> exported = new TreeMap<>();
        if (mine.bytes() > 0) {
          exported.put(NAME, new UserMemory(mine.address(), mine.bytes()));
        }
        return world.ofApplications(ofData).export(exported);
      }
      data = world.onDevices().hand(ofData, layout.dataBytes(), owned);
      return new byte[0];
    }

    @Override
    public void connect(RdmaPeers reached) {
      // Nothing to connect: all memory of the world is mapped.
    }

    @Override
    public Window open(List<byte[]> exports, RdmaPeers reached, UndoStack undo) {
      WindowLayout layout = WindowLayout.of(spec, topology());
      List<GpuMemory> parts =
          given.isPresent()
              ? callers(exports, each(layout, OwnerLayout::dataBytes), undo)
              : allocated(each(layout, OwnerLayout::dataBytes));
      List<SharedPages> pages =
          world
              .onHosts()
              .take(
                  ofSlots,
                  Objects.requireNonNull(slots),
                  each(layout, PageSlotWords::bytes),
                  owned);
      return new GpuWindow(
          membership(spec, generation, reached, () -> leave(generation, all)),
          slots(spec, new PollingWaitStrategy(), new PageSlotWords(rank(), pages), reached),
          world,
          parts,
          owned);
    }

    private List<GpuMemory> allocated(List<Long> bytes) {
      List<GpuMemory> parts = new ArrayList<>();
      for (SharedMemory memory :
          world.onDevices().take(ofData, Objects.requireNonNull(data), bytes, owned)) {
        parts.add(new GpuMemory(world.device(), memory.address(), bytes.get(parts.size())));
      }
      return parts;
    }

    /**
     * Maps memory of callers. No rank returns before all have unmapped it again, from a failed
     * creation or from the end of the window: then its owner may free it.
     */
    private List<GpuMemory> callers(List<byte[]> exports, List<Long> bytes, UndoStack undo) {
      ResourceStack mapped = new ResourceStack();
      undo.add(() -> unmapped(generation));
      undo.add(mapped::close);
      List<GpuMemory> parts = new ArrayList<>();
      for (Map<String, MappedAllocation> theirs :
          world.ofApplications(ofData).reach(exports, mapped)) {
        int owner = parts.size();
        MappedAllocation part = theirs.getOrDefault(NAME, new MappedAllocation(0, 0));
        if (part.bytes() != bytes.get(owner)) {
          throw new MachineException(
              "a rank's part has another size: window=%s, rank=%d, bytes=%d, needed=%d; run one version on all ranks"
                  .formatted(spec.name(), owner, part.bytes(), bytes.get(owner)));
        }
        parts.add(new GpuMemory(world.device(), part.address(), part.bytes()));
      }
      return parts;
    }

    private static List<Long> each(WindowLayout layout, ToLongFunction<OwnerLayout> bytes) {
      return IntStream.range(0, layout.topology().world())
          .mapToObj(rank -> bytes.applyAsLong(layout.owner(rank)))
          .toList();
    }
  }

  @Override
  protected LocalBuffer allocate(long bytes, Runnable onClose) {
    DeviceMemory device = world.device();
    long address = device.allocate(Math.max(1, bytes));
    ResourceStack owned = new ResourceStack();
    owned.add(() -> device.free(address));
    return new OwnBuffer<>(new GpuMemory(device, address, bytes), owned::close, onClose);
  }

  @Override
  protected LocalBuffer register(UserMemory memory, Runnable onClose) {
    return new OwnBuffer<>(GpuMemory.of(world.device(), memory), () -> {}, onClose);
  }

  @SuppressWarnings("ReferenceEquality") // the device of this membership, not an equal one
  private GpuMemory own(WindowPart buffer) {
    if (buffer instanceof MachineBuffer<?> machine
        && machine.memory() instanceof GpuMemory memory
        && memory.owner() == world.device()) {
      return memory;
    }
    throw WindowErrors.otherBuffer(buffer);
  }

  @Override
  protected DeviceMemory owner() {
    return world.device();
  }

  @Override
  protected void leave() {
    world.close();
  }
}
