package dev.oriel.sim.ranks;

import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.setup.RdmaPeers;
import dev.oriel.ports.setup.SlotLanes;
import dev.oriel.ports.setup.WindowErrors;
import java.util.Map;
import java.util.TreeMap;

/** State of a window that all lanes of a rank share. */
final class RankWindowState {
  final WindowSpec spec;
  final WindowPlacement place;
  final RdmaPeers reached;
  final Bootstrap ranks;
  final SlotLanes slots = new SlotLanes();

  /** By the number of the lane. */
  final Map<Integer, RankWindow> views = new TreeMap<>();

  /** By the number of the lane. */
  final Map<Integer, RankTransport> transport = new TreeMap<>();

  private final Runnable leave;
  private boolean closed;

  RankWindowState(
      WindowSpec spec, WindowPlacement place, RdmaPeers reached, Bootstrap ranks, Runnable leave) {
    this.spec = spec;
    this.place = place;
    this.reached = reached;
    this.ranks = ranks;
    this.leave = leave;
  }

  void requireOpen() {
    if (closed) {
      throw WindowErrors.closed(spec.name(), place.generation());
    }
  }

  void close() {
    if (!closed) {
      closed = true;
      leave.run();
    }
  }
}
