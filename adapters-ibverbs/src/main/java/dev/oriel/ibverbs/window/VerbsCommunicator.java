package dev.oriel.ibverbs.window;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.OwnerLayout;
import dev.oriel.domain.window.SlotMemory;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowLayout;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ibverbs.fabric.VerbsFabric;
import dev.oriel.ibverbs.fabric.VerbsMemory;
import dev.oriel.ibverbs.fabric.VerbsRemote;
import dev.oriel.ports.Abort;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Lane;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import dev.oriel.ports.setup.Fate;
import dev.oriel.ports.setup.LaneFailures;
import dev.oriel.ports.setup.LaneThreads;
import dev.oriel.ports.setup.Reached;
import dev.oriel.ports.setup.SlotLanes;
import dev.oriel.ports.setup.SlotTable;
import dev.oriel.ports.setup.SlotWindow;
import dev.oriel.ports.setup.Undo;
import dev.oriel.ports.setup.WindowSetup;
import java.util.ArrayList;
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

/** One rank's membership: it makes windows out of registered memory, step by agreed step. */
final class VerbsCommunicator implements Communicator {
  private final Bootstrap ranks;
  private final VerbsFabric fabric;
  private final Turns turns;
  private final VerbsMemory scratch;
  private final Topology topology;
  private final Fate fate;
  private final Clock clock;
  private final Runnable leave;
  private final Set<String> open = new TreeSet<>();

  /** Of the windows that are open. */
  private final List<Placing> placings = new ArrayList<>();

  private final LaneThreads lanes;

  private long windows;
  private int buffers;
  private boolean closed;

  VerbsCommunicator(
      Bootstrap ranks,
      VerbsFabric fabric,
      Turns turns,
      VerbsMemory scratch,
      Topology topology,
      Fate fate,
      Clock clock,
      Runnable leave) {
    this.ranks = ranks;
    this.fabric = fabric;
    this.turns = turns;
    this.scratch = scratch;
    this.topology = topology;
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

  /** What a rank has of a window of its own. */
  private record Own(VerbsMemory data, VerbsMemory slots) {}

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
              private @Nullable Own own;

              @Override
              public byte[] allocate(Undo back) {
                own = VerbsCommunicator.this.allocate(spec, back);
                return told(own, team);
              }

              @Override
              public void connect(Reached reached) {
                // The ends are in what all told; connecting waits for nobody.
              }

              @Override
              public Window open(List<byte[]> exports, Reached reached, Undo back) {
                return opened(
                    spec, generation, Objects.requireNonNull(own), exports, reached, back);
              }
            },
            undo));
  }

  private Own allocate(WindowSpec spec, Undo undo) {
    if (open.contains(spec.name())) {
      throw new MachineException(
          "window is open: name=" + spec.name() + "; close it first, or choose another name");
    }
    OwnerLayout layout = WindowLayout.of(spec, topology).owner(rank());
    VerbsMemory data = fabric.allocate(layout.dataBytes());
    undo.add(data::close);
    VerbsMemory slots = fabric.allocate(layout.bytes(SlotMemory.RDMA));
    undo.add(slots::close);
    return new Own(data, slots);
  }

  /** Where the memories are, and for each rank the ends of queues, none where none are wanted. */
  private byte[] told(Own own, Team team) {
    List<byte[]> pieces = new ArrayList<>(List.of(own.data().export(), own.slots().export()));
    for (int peer = 0; peer < world(); peer++) {
      boolean wanted = peer != rank() && team.contains(peer);
      pieces.add(wanted ? fabric.offer(peer) : new byte[0]);
    }
    return Told.bytes(pieces);
  }

  private Window opened(
      WindowSpec spec, long generation, Own own, List<byte[]> exports, Reached reached, Undo undo) {
    Map<Integer, Far> peers = new HashMap<>();
    for (int peer = 0; peer < world(); peer++) {
      if (peer != rank() && reached.leadsTo(peer)) {
        List<byte[]> told = Told.parse(peer, exports.get(peer), 2 + world());
        fabric.connect(peer, told.get(2 + rank()));
        peers.put(peer, new Far(remote(peer, told.get(0), undo), remote(peer, told.get(1), undo)));
      }
    }
    open.add(spec.name());
    undo.add(() -> open.remove(spec.name()));
    Placing placing = new Placing(peers, scratch);
    placings.add(placing);
    undo.add(() -> placings.remove(placing));
    SlotTable slots =
        new SlotTable(
            turns,
            fate,
            WindowLayout.of(spec, topology),
            rank(),
            new VerbsWords(turns, own.slots(), peers, placings),
            reached,
            new SlotLanes(),
            0);
    Runnable close = () -> leave("window " + generation + ": close", placing, undo);
    return new VerbsWindow(
        new SlotWindow.Membership(ranks, generation, spec, reached, fate, clock, close),
        slots,
        fabric,
        turns,
        own.data(),
        peers,
        placing);
  }

  private VerbsRemote remote(int peer, byte[] export, Undo undo) {
    VerbsRemote remote = fabric.open(peer, export);
    undo.add(remote::close);
    return remote;
  }

  /** Nobody's part is freed before what goes there has come. */
  private void leave(String step, Placing placing, Undo undo) {
    try {
      placing.all();
    } catch (MachineException e) {
      // A peer that is gone, or whose queue has failed, gets nothing more: there is nothing to wait
      // for, and whoever used the window was told.
    }
    try {
      ranks.barrier(step);
    } finally {
      undo.run();
    }
  }

  @Override
  public LocalBuffer buffer(long bytes) {
    requireMember();
    LocalBuffer buffer = new VerbsBuffer(fabric.allocate(bytes), () -> buffers--);
    buffers++;
    return buffer;
  }

  @Override
  public void lanes(int count, Executor threads, Lane.Code code) throws TimeoutException {
    requireMember();
    fate.refuse(null);
    Optional<Throwable> failure =
        LaneFailures.of(
            () -> lanes.run(count, threads, number -> new VerbsLane(number, fabric), code));
    // What is behind the lanes is behind the ends of what they put and got.
    Optional<Throwable> late =
        LaneFailures.of(() -> turns.change(() -> placings.forEach(Placing::flush)));
    LaneFailures.rethrow(List.of(failure, late));
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
