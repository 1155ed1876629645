package dev.oriel.ibverbs.window;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.OwnerLayout;
import dev.oriel.domain.window.SlotMemory;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowLayout;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ibverbs.fabric.MessagePieces;
import dev.oriel.ibverbs.fabric.VerbsFabric;
import dev.oriel.ibverbs.fabric.VerbsMemory;
import dev.oriel.ibverbs.fabric.VerbsRemote;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Lane;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.Window;
import dev.oriel.ports.setup.AbortState;
import dev.oriel.ports.setup.LaneFailures;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One rank's membership: it makes windows out of registered memory, in steps on which all ranks
 * agree.
 */
final class VerbsCommunicator extends SlotCommunicator {
  private final VerbsFabric fabric;
  private final FabricMonitor turns;
  private final VerbsMemory scratch;
  private final Runnable leaving;

  /** The puts of the open windows. */
  private final List<PlacementTracker> placings = new CopyOnWriteArrayList<>();

  VerbsCommunicator(
      Bootstrap ranks,
      VerbsFabric fabric,
      FabricMonitor turns,
      VerbsMemory scratch,
      Topology topology,
      AbortState fate,
      Clock clock,
      Runnable leaving) {
    super(ranks, topology, fate, clock);
    this.fabric = fabric;
    this.turns = turns;
    this.scratch = scratch;
    this.leaving = leaving;
  }

  /** A rank's own memory of a window. */
  private record Own(VerbsMemory data, VerbsMemory slots) {}

  @Override
  protected WindowSetup.Part<Window> part(
      WindowSpec spec, Team peers, long generation, Optional<WindowPart> given, UndoStack undo) {
    return new WindowSetup.Part<>() {
      private @Nullable Own own;

      @Override
      public byte[] allocate(UndoStack back) {
        own = VerbsCommunicator.this.allocate(spec, given, back);
        return exported(own, peers);
      }

      @Override
      public void connect(RdmaPeers reached) {
        // The queue ends are in the exchanged messages, and connecting does not wait for a peer:
        // nothing to do.
      }

      @Override
      public Window open(List<byte[]> exports, RdmaPeers reached, UndoStack back) {
        return opened(spec, generation, Objects.requireNonNull(own), exports, reached, back);
      }
    };
  }

  private Own allocate(WindowSpec spec, Optional<WindowPart> given, UndoStack undo) {
    OwnerLayout layout = WindowLayout.of(spec, topology()).owner(rank());
    VerbsMemory data;
    if (given.isPresent()) {
      data = own(given.get());
    } else {
      data = fabric.allocate(layout.dataBytes());
      undo.add(data::close);
    }
    VerbsMemory slots = fabric.allocate(layout.bytes(SlotMemory.RDMA));
    undo.add(slots::close);
    return new Own(data, slots);
  }

  /**
   * The exports of the memories, and for each rank its queue ends; no bytes for ranks without a
   * connection.
   */
  private byte[] exported(Own own, Team team) {
    List<byte[]> pieces = new ArrayList<>(List.of(own.data().export(), own.slots().export()));
    for (int peer = 0; peer < world(); peer++) {
      boolean wanted = peer != rank() && team.contains(peer);
      pieces.add(wanted ? fabric.offer(peer) : new byte[0]);
    }
    return MessagePieces.bytes(pieces);
  }

  private Window opened(
      WindowSpec spec,
      long generation,
      Own own,
      List<byte[]> exports,
      RdmaPeers reached,
      UndoStack undo) {
    Map<Integer, RemotePeer> peers = new TreeMap<>();
    for (int peer = 0; peer < world(); peer++) {
      if (peer != rank() && reached.leadsTo(peer)) {
        List<byte[]> pieces = MessagePieces.parse(peer, exports.get(peer), 2 + world());
        fabric.connect(peer, pieces.get(2 + rank()));
        VerbsRemote data = remote(peer, pieces.get(0), undo);
        VerbsRemote slots = remote(peer, pieces.get(1), undo);
        peers.put(peer, new RemotePeer(peer, turns, data, slots));
      }
    }
    PlacementTracker placing = new PlacementTracker(turns, peers, scratch);
    placings.add(placing);
    undo.add(() -> placings.remove(placing));
    VerbsWords words = new VerbsWords(turns, own.slots(), peers, placings);
    return new VerbsWindow(
        membership(spec, generation, reached, () -> leave(generation, placing, undo)),
        slots(spec, turns, words, reached),
        turns,
        own.data(),
        peers,
        placing);
  }

  private VerbsRemote remote(int peer, byte[] export, UndoStack undo) {
    VerbsRemote remote = fabric.open(peer, export);
    undo.add(remote::close);
    return remote;
  }

  /**
   * Leaves a window once all its puts are placed and all its words have arrived: no rank frees
   * memory before. A word to freed memory would fail the queue, or over UCX be written there.
   */
  private void leave(long generation, PlacementTracker placing, UndoStack undo) {
    placing.settle(turns.deadline());
    leave(generation, undo);
  }

  @Override
  protected LocalBuffer allocate(long bytes, Runnable onClose) {
    VerbsMemory memory = fabric.allocate(bytes);
    return new OwnBuffer<>(memory, memory::close, onClose);
  }

  @Override
  protected LocalBuffer register(UserMemory user, Runnable onClose) {
    VerbsMemory memory = fabric.register(user);
    return new OwnBuffer<>(memory, memory::close, onClose);
  }

  @SuppressWarnings("ReferenceEquality") // the fabric of this membership, not an equal one
  private VerbsMemory own(WindowPart buffer) {
    if (buffer instanceof MachineBuffer<?> machine
        && machine.memory() instanceof VerbsMemory memory
        && memory.owner() == fabric) {
      return memory;
    }
    throw WindowErrors.otherBuffer(buffer);
  }

  @Override
  protected VerbsFabric owner() {
    return fabric;
  }

  @Override
  protected void run(int count, Executor threads, Lane.Code code) throws TimeoutException {
    Optional<Throwable> failure = LaneFailures.of(() -> super.run(count, threads, code));
    // All puts and gets of the lanes must complete before the lanes count as ended.
    Optional<Throwable> late = LaneFailures.of(this::flush);
    LaneFailures.rethrow(List.of(failure, late));
  }

  private void flush() throws TimeoutException {
    for (PlacementTracker placing : placings) {
      placing.flush(turns.deadline());
    }
  }

  @Override
  protected void leave() {
    leaving.run();
  }
}
