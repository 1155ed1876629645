package dev.oriel.ports.setup;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.WindowLayout;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Lane;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;

/**
 * One rank's membership on a machine whose windows are {@link SlotWindow}s and whose lanes are
 * threads.
 */
public abstract class SlotCommunicator extends MemberCommunicator {
  private final Clock clock;
  private final LaneThreads lanes;

  protected SlotCommunicator(Bootstrap ranks, Topology topology, AbortState fate, Clock clock) {
    super(ranks, topology, fate);
    this.clock = clock;
    this.lanes = new LaneThreads(ranks.rank());
  }

  /** The {@link OwnMemory#owner} of this rank's memory. */
  protected abstract Object owner();

  /** The slots of a window, all of them zero. */
  protected final SlotTable slots(
      WindowSpec spec, WaitStrategy waits, SlotWords words, RdmaPeers reached) {
    WindowLayout layout = WindowLayout.of(spec, topology());
    return new SlotTable(waits, fate(), layout, rank(), words, reached, new SlotLanes(), 0);
  }

  /**
   * The state of a window that all lanes of this rank share.
   *
   * @param leave the collective action that closes the window
   */
  protected final SlotWindow.Membership membership(
      WindowSpec spec, long generation, RdmaPeers reached, Runnable leave) {
    return new SlotWindow.Membership(ranks(), generation, spec, reached, fate(), clock, leave);
  }

  /** Closes a window together with all other ranks, then frees its resources. */
  protected final void leave(long generation, UndoStack undo) {
    try {
      meet(generation, "");
    } finally {
      undo.run();
    }
  }

  @Override
  protected void run(int count, Executor threads, Lane.Code code) throws TimeoutException {
    lanes.run(count, threads, number -> new SlotLane(number, owner()), code);
  }
}
