package dev.oriel.sim.sequential;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.OwnerLayout;
import dev.oriel.domain.window.SlotMemory;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowLayout;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Lane;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.Window;
import dev.oriel.ports.setup.Fate;
import dev.oriel.ports.setup.LaneThreads;
import dev.oriel.ports.setup.MemberCommunicator;
import dev.oriel.ports.setup.Reached;
import dev.oriel.ports.setup.SlotLanes;
import dev.oriel.ports.setup.SlotTable;
import dev.oriel.ports.setup.SlotWindow;
import dev.oriel.ports.setup.Undo;
import dev.oriel.ports.setup.WindowSetup;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One rank's membership: it makes windows out of fabric memory, step by agreed step. */
final class SequentialCommunicator extends MemberCommunicator {
  private final SequentialFabric fabric;
  private final Connections connections;
  private final Wire wire;
  private final Clock clock;
  private final LaneThreads lanes;

  SequentialCommunicator(
      Bootstrap ranks,
      SequentialFabric fabric,
      Connections connections,
      Topology topology,
      Wire wire,
      Fate fate,
      Clock clock) {
    super(ranks, topology, fate);
    this.fabric = fabric;
    this.connections = connections;
    this.wire = wire;
    this.clock = clock;
    this.lanes = new LaneThreads(rank());
  }

  /** Whom this rank is connected with by now. */
  Connections connections() {
    return connections;
  }

  /** What lies below. */
  SequentialFabric fabric() {
    return fabric;
  }

  @Override
  protected WindowSetup.Part<Window> part(WindowSpec spec, Team peers, long generation, Undo undo) {
    return new WindowSetup.Part<>() {
      private @Nullable Parts<SequentialMemory> own;

      @Override
      public byte[] allocate(Undo back) {
        own = SequentialCommunicator.this.allocate(spec, back);
        return Parts.bytes(own.map(SequentialMemory::export));
      }

      @Override
      public void connect(Reached reached) {
        connections.connect(reached);
      }

      @Override
      public Window open(List<byte[]> exports, Reached reached, Undo back) {
        return SequentialCommunicator.this.open(
            spec, generation, Objects.requireNonNull(own), exports, reached, back);
      }
    };
  }

  private Parts<SequentialMemory> allocate(WindowSpec spec, Undo undo) {
    OwnerLayout layout = WindowLayout.of(spec, topology()).owner(rank());
    List<SequentialMemory> memories =
        fabric.allocate(
            List.of(
                layout.dataBytes(),
                layout.bytes(SlotMemory.NVLINK),
                layout.bytes(SlotMemory.RDMA)));
    memories.forEach(memory -> undo.add(memory::close));
    return new Parts<>(memories.get(0), memories.get(1), memories.get(2));
  }

  private Window open(
      WindowSpec spec,
      long generation,
      Parts<SequentialMemory> own,
      List<byte[]> exports,
      Reached reached,
      Undo undo) {
    Map<Integer, Parts<SequentialRemote>> peers = new HashMap<>();
    for (int rank = 0; rank < exports.size(); rank++) {
      int peer = rank;
      if (!reached.leadsTo(peer)) {
        continue;
      }
      peers.put(
          peer,
          Parts.parse(exports.get(peer))
              .map(export -> {
                SequentialRemote remote = fabric.open(peer, export);
                undo.add(remote::close);
                return remote;
              }));
    }
    WindowLayout layout = WindowLayout.of(spec, topology());
    return new SequentialWindow(
        new SlotWindow.Membership(
            ranks(), generation, spec, reached, fate(), clock, () -> leave(generation, undo)),
        new SlotTable(
            wire,
            fate(),
            layout,
            rank(),
            new SequentialWords(own, peers),
            reached,
            new SlotLanes(),
            0),
        own.data(),
        peers);
  }

  private void leave(long generation, Undo undo) {
    try {
      meet(generation, "");
    } finally {
      undo.run();
    }
  }

  @Override
  protected LocalBuffer allocate(long bytes, Runnable onClose) {
    return new SequentialBuffer(fabric.allocate(bytes), onClose);
  }

  @Override
  public void lanes(int count, Executor threads, Lane.Code code) throws TimeoutException {
    requireMember();
    fate().refuse(null);
    lanes.run(count, threads, number -> new SequentialLane(number, fabric), code);
  }

  @Override
  protected void leave() {
    fabric.close();
  }
}
