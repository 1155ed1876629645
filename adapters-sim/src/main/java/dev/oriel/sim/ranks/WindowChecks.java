package dev.oriel.sim.ranks;

import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.setup.SlotLanes;
import dev.oriel.ports.setup.SpanChecks;
import dev.oriel.ports.setup.WindowErrors;

/** The checks of a window before it asks the machine for anything. */
final class WindowChecks {
  private final RankWindowState part;
  private final RankLane lane;
  private final WindowSpec spec;

  WindowChecks(RankWindowState part, RankLane lane) {
    this.part = part;
    this.lane = lane;
    this.spec = part.spec;
  }

  void open() {
    part.requireOpen();
  }

  /** Requires a rank of the world that the window reaches. */
  int rank(int peer) {
    open();
    index("rank", peer, lane.world);
    part.reached.require(peer);
    return peer;
  }

  void ranks(Team team) {
    team.stream().forEach(this::rank);
  }

  /** Requires a slot of another rank. */
  void slot(String what, int peer, int id, int count) {
    rank(peer);
    index(what, id, count);
    if (peer == lane.rank) {
      throw WindowErrors.ownRow(spec.name(), lane.rank);
    }
  }

  void barrier(int id, Team team) {
    open();
    index("barrier", id, spec.barriers());
    ranks(team);
    own(SlotLanes.Use.BARRIER, lane.rank, id);
  }

  void index(String what, int index, int count) {
    if (index < 0 || index >= count) {
      throw new IndexOutOfBoundsException(
          "%s out of range: window=%s, %s=%d, count=%d; use 0 to %d"
              .formatted(what, spec.name(), what, index, count, count - 1));
    }
  }

  /** Requires bytes of the part of that rank. */
  void span(int owner, long offset, long length) {
    open();
    SpanChecks.check(
        "window=" + spec.name() + ", owner=" + owner, offset, length, spec.data().of(owner));
  }

  /** Requires a slot that no other lane of the rank uses in this way. */
  void own(SlotLanes.Use use, int peer, int id) {
    part.slots.require(spec.name(), use, peer, id, lane.number);
  }
}
