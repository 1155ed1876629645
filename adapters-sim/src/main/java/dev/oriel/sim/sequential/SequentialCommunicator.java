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
import dev.oriel.ports.Window;
import dev.oriel.ports.setup.AbortState;
import dev.oriel.ports.setup.OwnBuffer;
import dev.oriel.ports.setup.RdmaPeers;
import dev.oriel.ports.setup.SlotCommunicator;
import dev.oriel.ports.setup.UndoStack;
import dev.oriel.ports.setup.WindowSetup;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
      WindowSpec spec, Team peers, long generation, UndoStack undo) {
    return new WindowSetup.Part<>() {
      private @Nullable WindowMemories<SequentialMemory> own;

      @Override
      public byte[] allocate(UndoStack back) {
        own = SequentialCommunicator.this.allocate(spec, back);
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

  private WindowMemories<SequentialMemory> allocate(WindowSpec spec, UndoStack undo) {
    OwnerLayout layout = WindowLayout.of(spec, topology()).owner(rank());
    List<SequentialMemory> memories =
        fabric.allocate(
            List.of(
                layout.dataBytes(),
                layout.bytes(SlotMemory.NVLINK),
                layout.bytes(SlotMemory.RDMA)));
    memories.forEach(memory -> undo.add(memory::close));
    return new WindowMemories<>(memories.get(0), memories.get(1), memories.get(2));
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
  protected SequentialFabric owner() {
    return fabric;
  }

  @Override
  protected void leave() {
    fabric.close();
  }
}
