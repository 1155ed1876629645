package dev.oriel.ibverbs.window;

import dev.oriel.domain.topology.RankFacts;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.fabric.MessagePieces;
import dev.oriel.ibverbs.fabric.VerbsFabric;
import dev.oriel.ibverbs.fabric.VerbsMemory;
import dev.oriel.ibverbs.fabric.VerbsRemote;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.ucx.UcxConnections;
import dev.oriel.ibverbs.verbs.ClosingSequence;
import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.verbs.DeviceList;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.setup.AbortState;
import dev.oriel.ports.setup.StepAgreement;
import dev.oriel.ports.setup.UndoStack;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Joins ranks that are threads or processes, each over an RDMA device or UCX; ranks reach each
 * other only over the network. All are connected with rank 0, which keeps the world's fate. A
 * rank's windows determine its other connections.
 */
public final class VerbsCommunicators implements Communicator.Factory {
  private static final long UNLIMITED = Long.MAX_VALUE;

  private final Function<Bootstrap, VerbsFabric> fabrics;
  private final Optional<Executor> progress;
  private final Clock clock;

  private VerbsCommunicators(
      Function<Bootstrap, VerbsFabric> fabrics, Optional<Executor> progress, Clock clock) {
    this.fabrics = fabrics;
    this.progress = progress;
    this.clock = clock;
  }

  /**
   * A factory over any devices.
   *
   * @param devices opens the device of a rank
   * @param bytes the most that a rank allocates
   */
  public VerbsCommunicators(
      Supplier<DeviceContext> devices, VerbsSettings settings, long bytes, Clock clock) {
    this(ranks -> fabric(ranks, devices, settings, bytes, clock), Optional.empty(), clock);
  }

  /**
   * Over UCX, which reaches other hosts by TCP, RoCE or InfiniBand and needs no RDMA device.
   *
   * @param depth the requests that may be under way to a peer
   * @param bytes the most that a rank allocates
   * @param progress runs one task for each communicator until its end. Without an interface that
   *     does it, this task executes what peers request of the rank
   */
  public static VerbsCommunicators ucx(int depth, long bytes, Executor progress, Clock clock) {
    return new VerbsCommunicators(
        ranks ->
            new VerbsFabric(
                new UcxConnections(ranks.rank(), ranks.world(), depth),
                () -> {},
                ranks.rank(),
                facts(ranks),
                bytes,
                clock),
        Optional.of(progress),
        clock);
  }

  /** Over the first of the devices of this host that the settings name. */
  public static VerbsCommunicators of(VerbsSettings settings, Clock clock) {
    return new VerbsCommunicators(
        () -> DeviceList.load().open(settings.devices().getFirst()), settings, UNLIMITED, clock);
  }

  /** A rank's objects before it exchanges messages with the others. */
  private record Opened(
      VerbsFabric fabric, FabricMonitor turns, VerbsMemory scratch, List<byte[]> offers) {}

  @Override
  public Communicator join(Bootstrap ranks) {
    UndoStack undo = new UndoStack();
    try {
      Opened own = StepAgreement.all(ranks, "join: open the device", () -> open(ranks, undo));
      List<byte[]> exchanged = ranks.allGather("join: exchange", MessagePieces.bytes(own.offers()));
      AbortState fate =
          StepAgreement.all(ranks, "join: connect", () -> connect(ranks, own, exchanged, undo));
      return new VerbsCommunicator(
          ranks,
          own.fabric(),
          own.turns(),
          own.scratch(),
          Topology.grid(ranks.world(), 1),
          fate,
          clock,
          undo::run);
    } catch (RuntimeException e) {
      undo.because(e);
      throw e;
    }
  }

  private Opened open(Bootstrap ranks, UndoStack undo) {
    VerbsFabric fabric = fabrics.apply(ranks);
    undo.add(fabric::close);
    VerbsMemory scratch = AbortBoard.scratch(fabric);
    undo.add(scratch::close);
    List<byte[]> offers = new ArrayList<>();
    if (ranks.rank() == 0) {
      VerbsMemory board = AbortBoard.memory(fabric, ranks.world());
      undo.add(board::close);
      offers.add(board.export());
      for (int peer = 0; peer < ranks.world(); peer++) {
        offers.add(fabric.offer(peer));
      }
    } else {
      offers.add(fabric.offer(0));
    }
    FabricMonitor turns = new FabricMonitor(fabric, clock);
    undo.add(fabric::disconnect);
    progress.ifPresent(threads -> {
      ProgressTask task = new ProgressTask(turns);
      undo.add(task::close);
      threads.execute(task);
    });
    return new Opened(fabric, turns, scratch, offers);
  }

  private static RankFacts facts(Bootstrap ranks) {
    return RankFacts.of("rank" + ranks.rank(), 0);
  }

  private static VerbsFabric fabric(
      Bootstrap ranks,
      Supplier<DeviceContext> devices,
      VerbsSettings settings,
      long bytes,
      Clock clock) {
    DeviceContext device = devices.get();
    try {
      return new VerbsFabric(
          device, ranks.rank(), ranks.world(), facts(ranks), settings, bytes, clock);
    } catch (RuntimeException e) {
      throw ClosingSequence.closeAfter(e, device::close);
    }
  }

  private AbortState connect(Bootstrap ranks, Opened own, List<byte[]> exchanged, UndoStack undo) {
    List<byte[]> first = MessagePieces.parse(0, exchanged.getFirst(), 1 + ranks.world());
    own.fabric().connect(0, first.get(1 + ranks.rank()));
    if (ranks.rank() == 0) {
      for (int peer = 1; peer < ranks.world(); peer++) {
        own.fabric().connect(peer, MessagePieces.parse(peer, exchanged.get(peer), 1).getFirst());
      }
    }
    VerbsRemote board = own.fabric().open(0, first.getFirst());
    undo.add(board::close);
    return new AbortBoard(own.turns(), board, own.scratch(), ranks.world(), clock);
  }
}
