package dev.oriel.sim.sequential;

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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One rank's membership: it makes windows out of fabric memory, step by agreed step. */
final class SequentialCommunicator implements Communicator {
  private final Bootstrap ranks;
  private final SequentialFabric fabric;
  private final Connections connections;
  private final Topology topology;
  private final Wire wire;
  private final Fate fate;
  private final Clock clock;
  private final Set<String> open = new TreeSet<>();
  private final LaneThreads lanes;
  private long windows;
  private int buffers;
  private boolean closed;

  SequentialCommunicator(
      Bootstrap ranks,
      SequentialFabric fabric,
      Connections connections,
      Topology topology,
      Wire wire,
      Fate fate,
      Clock clock) {
    this.ranks = ranks;
    this.fabric = fabric;
    this.connections = connections;
    this.topology = topology;
    this.wire = wire;
    this.fate = fate;
    this.clock = clock;
    this.lanes = new LaneThreads(ranks.rank());
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
  public int rank() {
    return ranks.rank();
  }

  @Override
  public int world() {
    return topology.world();
  }

  @Override
  public Topology topology() {
    return topology;
  }

  @Override
  public Window window(WindowSpec spec, Team team) {
    requireMember();
    long generation = ++windows;
    String step = "window " + generation;
    Undo undo = new Undo();
    return fate.during(() ->
        WindowSetup.make(
            ranks,
            step,
            spec,
            topology,
            team,
            new WindowSetup.Part<Window>() {
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
            },
            undo));
  }

  private Parts<SequentialMemory> allocate(WindowSpec spec, Undo undo) {
    if (open.contains(spec.name())) {
      throw new MachineException(
          "window is open: name=" + spec.name() + "; close it first, or choose another name");
    }
    OwnerLayout layout = WindowLayout.of(spec, topology).owner(rank());
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
    open.add(spec.name());
    undo.add(() -> open.remove(spec.name()));
    WindowLayout layout = WindowLayout.of(spec, topology);
    return new SequentialWindow(
        new SlotWindow.Membership(
            ranks,
            generation,
            spec,
            reached,
            fate,
            clock,
            () -> leave("window " + generation, undo)),
        new SlotTable(
            wire,
            fate,
            layout,
            rank(),
            new SequentialWords(own, peers),
            reached,
            new SlotLanes(),
            0),
        own.data(),
        peers);
  }

  private void leave(String step, Undo undo) {
    try {
      ranks.barrier(step + ": close");
    } finally {
      undo.run();
    }
  }

  @Override
  public LocalBuffer buffer(long bytes) {
    requireMember();
    buffers++;
    try {
      return new SequentialBuffer(fabric.allocate(bytes), () -> buffers--);
    } catch (RuntimeException e) {
      buffers--;
      throw e;
    }
  }

  @Override
  public void lanes(int count, Executor threads, Lane.Code code) throws TimeoutException {
    requireMember();
    fate.refuse(null);
    lanes.run(count, threads, number -> new SequentialLane(number, fabric), code);
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
      fabric.close();
    }
  }
}
