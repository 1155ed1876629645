package dev.oriel.cuda.window;

import dev.oriel.cuda.driver.DeviceMemory;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.driver.SharedMemory;
import dev.oriel.cuda.driver.SharedPages;
import dev.oriel.ports.UserMemory;
import dev.oriel.cuda.process.PollingWaitStrategy;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.OwnerLayout;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowLayout;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Clock;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.Window;
import dev.oriel.ports.setup.OwnBuffer;
import dev.oriel.ports.setup.RdmaPeers;
import dev.oriel.ports.setup.SlotCommunicator;
import dev.oriel.ports.setup.UndoStack;
import dev.oriel.ports.setup.WindowSetup;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
      WindowSpec spec, Team peers, long generation, UndoStack undo) {
    return new Part(spec, generation, undo);
  }

  /** A window during its collective creation. */
  private final class Part implements WindowSetup.Part<Window> {
    private final WindowSpec spec;
    private final long generation;
    private final UndoStack all;
    private final ResourceStack owned = new ResourceStack();
    private final int ofData = world.exchange(owned);
    private final int ofSlots = world.exchange(owned);
    private @Nullable SharedMemory data;
    private @Nullable SharedPages slots;

    Part(WindowSpec spec, long generation, UndoStack all) {
      this.spec = spec;
      this.generation = generation;
      this.all = all;
      all.add(owned::close);
    }

    /** Peers get open files: no bytes to exchange. */
    @Override
    public byte[] allocate(UndoStack undo) {
      OwnerLayout layout = WindowLayout.of(spec, topology()).owner(rank());
      data = world.onDevices().hand(ofData, layout.dataBytes(), owned);
      slots = world.onHosts().hand(ofSlots, PageSlotWords.bytes(layout), owned);
      return new byte[0];
    }

    @Override
    public void connect(RdmaPeers reached) {
      // Nothing to connect: all memory of the world is mapped.
    }

    @Override
    public Window open(List<byte[]> exports, RdmaPeers reached, UndoStack undo) {
      WindowLayout layout = WindowLayout.of(spec, topology());
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

  /** The application's memory as a buffer; it stays the application's. */
  LocalBuffer buffer(UserMemory memory) {
    return counted(
        onClose -> new OwnBuffer<>(GpuMemory.of(world.gpu(), memory), () -> {}, onClose));
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
