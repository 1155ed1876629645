package dev.oriel.sim.ranks;

import dev.oriel.ports.LocalBuffer;

/** The requests of a window to the machine, with addresses and ids of the arena, and with names. */
final class WindowRequests {
  private final RankGroup group;
  private final RankLane lane;
  private final WindowPlacement place;

  WindowRequests(RankGroup group, WindowPlacement place) {
    this.group = group;
    this.lane = group.lane;
    this.place = place;
  }

  /** A request on the own part or on a signal slot. */
  LaneReply ask(LaneRequest request) {
    return group.ask(inArena(request));
  }

  /** The same, in an aborted world, too. */
  LaneReply askAnyway(LaneRequest request) {
    return group.askAnyway(inArena(request));
  }

  /** A request without an address. */
  LaneReply askPlain(LaneRequest request) {
    return group.ask(described(request));
  }

  /** A transfer between a peer's part and a buffer, and a slot counted from {@code firstId}. */
  LaneReply transfer(LaneRequest request, LocalBuffer buffer, int firstId) {
    long own = ArenaBuffer.at(buffer, 0, 0, lane);
    return group.ask(described(request).moved(place.bases()[request.peer()], own, firstId));
  }

  private LaneRequest inArena(LaneRequest request) {
    return described(request).moved(0, place.bases()[lane.rank], place.ids().signal());
  }

  /** The request with its name in reports. */
  LaneRequest described(LaneRequest request) {
    return lane.described()
        ? request.at(place.label() + request.description() + " at " + RankLane.site())
        : request;
  }
}
