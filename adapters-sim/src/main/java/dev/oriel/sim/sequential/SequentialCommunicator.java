package dev.oriel.sim.sequential;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.OwnerLayout;
import dev.oriel.domain.window.SlotMemory;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowLayout;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Clock;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.Window;
import dev.oriel.ports.setup.AbortState;
import dev.oriel.ports.setup.MachineBuffer;
import dev.oriel.ports.setup.OwnBuffer;
import dev.oriel.ports.setup.RdmaPeers;
import dev.oriel.ports.setup.SlotCommunicator;
import dev.oriel.ports.setup.UndoStack;
import dev.oriel.ports.setup.WindowErrors;
import dev.oriel.ports.setup.WindowPart;
import dev.oriel.ports.setup.WindowSetup;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One rank's membership. It makes windows from fabric memory, in steps on which all ranks agree.
 */
final class SequentialCommunicator extends SlotCommunicator {
  private final SequentialFabric fabric;
  private final RankConnections connections;
  private final SequentialWire wire;

  SequentialCommunicator(
      Bootstrap ranks,
      SequentialFabric fabric,
      RankConnections connections,
      Topology topology,
      SequentialWire wire,
      AbortState fate,
      Clock clock) {
    super(ranks, topology, fate, clock);
    this.fabric = fabric;
    this.connections = connections;
    this.wire = wire;
  }

  /** The ranks to which this rank is connected so far. */
  RankConnections connections() {
    return connections;
  }

  /** The fabric of this rank. */
  SequentialFabric fabric() {
    return fabric;
  }

  @Override
  protected WindowSetup.Part<Window> part(
      WindowSpec spec, Team peers, long generation, Optional<WindowPart> given, UndoStack undo) {
    return new WindowSetup.Part<>() {
      private @Nullable WindowMemories<SequentialMemory> own;

      @Override
      public byte[] allocate(UndoStack back) {
        own = SequentialCommunicator.this.allocate(spec, given, back);
        return WindowMemories.bytes(own.map(SequentialMemory::export));
      }

      @Override
      public void connect(RdmaPeers reached) {
        connections.connect(reached);
      }

      @Override
      public Window open(List<byte[]> exports, RdmaPeers reached, UndoStack back) {
        return SequentialCommunicator.this.open(
            spec, generation, Objects.requireNonNull(own), exports, reached, back);
      }
    };
  }

  private WindowMemories<SequentialMemory> allocate(
      WindowSpec spec, Optional<WindowPart> given, UndoStack undo) {
    OwnerLayout layout = WindowLayout.of(spec, topology()).owner(rank());
    List<SequentialMemory> memories =
        fabric.allocate(
            List.of(
                given.isPresent() ? 0 : layout.dataBytes(),
                layout.bytes(SlotMemory.NVLINK),
                layout.bytes(SlotMemory.RDMA)));
    memories.forEach(memory -> undo.add(memory::close));
    SequentialMemory data = given.map(this::shared).orElse(memories.get(0));
    return new WindowMemories<>(data, memories.get(1), memories.get(2));
  }

  /** The memory of a buffer that peers may reach; a peer on a mapped link maps it. */
  private SequentialMemory shared(WindowPart buffer) {
    SequentialMemory memory = own(buffer);
    if (topology().nvlinkPeers(rank()).findAny().isPresent()) {
      fabric.requireShareable(memory);
    }
    return memory;
  }

  @SuppressWarnings("ReferenceEquality") // the fabric of this membership, not an equal one
  private SequentialMemory own(WindowPart buffer) {
    if (buffer instanceof MachineBuffer<?> machine
        && machine.memory() instanceof SequentialMemory memory
        && memory.owner() == fabric) {
      return memory;
    }
    throw WindowErrors.otherBuffer(buffer);
  }

  private Window open(
      WindowSpec spec,
      long generation,
      WindowMemories<SequentialMemory> own,
      List<byte[]> exports,
      RdmaPeers reached,
      UndoStack undo) {
    Map<Integer, WindowMemories<SequentialRemote>> peers = new HashMap<>();
    for (int rank = 0; rank < exports.size(); rank++) {
      int peer = rank;
      if (!reached.leadsTo(peer)) {
        continue;
      }
      peers.put(
          peer,
          WindowMemories.parse(exports.get(peer))
              .map(export -> {
                SequentialRemote remote = fabric.open(peer, export);
                undo.add(remote::close);
                return remote;
              }));
    }
    return new SequentialWindow(
        membership(spec, generation, reached, () -> leave(generation, undo)),
        slots(spec, wire, new SequentialWords(own, peers), reached),
        own.data(),
        peers);
  }

  @Override
  protected LocalBuffer allocate(long bytes, Runnable onClose) {
    SequentialMemory memory = fabric.allocate(bytes);
    return new OwnBuffer<>(memory, memory::close, onClose);
  }

  @Override
  protected LocalBuffer register(UserMemory user, Runnable onClose) {
    SequentialMemory memory = fabric.register(user);
    return new OwnBuffer<>(memory, memory::close, onClose);
  }

  @Override
  protected SequentialFabric owner() {
    return fabric;
  }

  @Override
  protected void leave() {
    fabric.close();
  }
}
