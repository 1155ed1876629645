package dev.oriel.ports.setup;

import dev.oriel.domain.connection.ConnectionOrder;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.RemoteRange;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowRegion;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.domain.window.WindowView;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * The steps in which the ranks of every machine create a window together: each allocates its part,
 * all exchange the exports, each opens the others' parts. The ranks agree after each step that can
 * fail on one of them, so a window exists on every rank or on none.
 */
public final class WindowSetup {
  private WindowSetup() {}

  /** One rank's part of it; it adds every resource that it takes to {@code undo}. */
  public interface Part<W> {

    /** Allocates memory, and returns its export. */
    byte[] allocate(UndoStack undo);

    /** Connects to the reached peers that are not connected yet. */
    void connect(RdmaPeers reached);

    /** Opens the memory of the reached peers. */
    W open(List<byte[]> exports, RdmaPeers reached, UndoStack undo);
  }

  /**
   * The window of all ranks.
   *
   * @param given whether the caller gave the memory of this rank's part
   * @throws dev.oriel.ports.MachineException with one message on every rank, after everything was
   *     undone
   */
  public static <W> W make(
      Bootstrap ranks,
      String step,
      WindowSpec spec,
      Topology topology,
      Team peers,
      boolean given,
      Part<W> part,
      UndoStack undo) {
    try {
      byte[] export = StepAgreement.all(ranks, step + ": allocate", () -> part.allocate(undo));
      String far = RdmaPeers.text(topology, ranks.rank(), peers);
      List<byte[]> all =
          ranks.allGather(
              step + ": exchange", WindowAnnouncement.of(spec, given, far, export).bytes());
      RdmaPeers reached =
          new RdmaPeers(spec.name(), topology, ranks.rank(), WindowAnnouncement.peers(all));
      List<byte[]> exports =
          StepAgreement.all(
              ranks,
              step + ": agree",
              () -> {
                List<byte[]> same = WindowAnnouncement.exports(all);
                // Every rank that finds a one-sided naming finds the same pair.
                ConnectionOrder ignored = reached.order(nobody(ranks.world()));
                return same;
              });
      return StepAgreement.all(
          ranks,
          step + ": open",
          () -> {
            part.connect(reached);
            return part.open(exports, reached, undo);
          });
    } catch (RuntimeException e) {
      undo.because(e);
      throw e;
    }
  }

  private static List<Set<Integer>> nobody(int world) {
    return Collections.nCopies(world, Set.of());
  }

  /** The pieces that ranks name of their parts; see {@link Window#share}. */
  public static WindowView share(Bootstrap ranks, String step, Window window, WindowRegion mine) {
    RemoteRange whole = window.view().range(window.rank());
    RemoteRange own =
        StepAgreement.all(
            ranks,
            step + ": share",
            () -> {
              window.view().resolve(window.rank(), mine, window.generation(), 1);
              return whole.part(mine);
            });
    byte[] bytes =
        ByteBuffer.allocate(2 * Long.BYTES).putLong(own.base()).putLong(own.size()).array();
    List<RemoteRange> ranges = new ArrayList<>();
    for (byte[] theirs : ranks.allGather(step + ": pieces", bytes)) {
      ranges.add(piece(window.view().range(ranges.size()), theirs));
    }
    return new WindowView(window.name(), ranges);
  }

  /** Parses a rank's piece and checks that it lies in its part. */
  private static RemoteRange piece(RemoteRange whole, byte[] encoded) {
    ByteBuffer buffer = ByteBuffer.wrap(encoded);
    long base = encoded.length == 2 * Long.BYTES ? buffer.getLong() : -1;
    long size = base < 0 ? -1 : buffer.getLong();
    long before = base - whole.base();
    if (base < 0
        || size < 0
        || before < 0
        || before > whole.size()
        || size > whole.size() - before) {
      throw new MachineException(
          "no piece of a rank's part: rank=%d, base=%d, size=%d, part=%d bytes from %d; run the same version on all ranks"
              .formatted(whole.owner(), base, size, whole.size(), whole.base()));
    }
    return new RemoteRange(whole.owner(), base, size, whole.generation());
  }
}
