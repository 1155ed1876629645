package dev.oriel.sim.ranks;

import dev.oriel.ports.LocalBuffer;

/**
 * How a window asks the machine: places and ids are those of the arena, and requests have names.
 */
final class WindowRequests {
  private final RankGroup group;
  private final RankLane lane;
  private final Place place;

  WindowRequests(RankGroup group, Place place) {
    this.group = group;
    this.lane = group.lane;
    this.place = place;
  }

  /** Asks for what concerns the own part, or a signal slot. */
  Reply ask(Request request) {
    return group.ask(inArena(request));
  }

  /** The same, also in a world that was aborted. */
  Reply askAnyway(Request request) {
    return group.askAnyway(inArena(request));
  }

  /** Asks for what is of no place. */
  Reply askPlain(Request request) {
    return group.ask(told(request));
  }

  /** Asks for a transfer between a peer's part and a buffer, and a slot from {@code firstId} on. */
  Reply transfer(Request request, LocalBuffer buffer, int firstId) {
    long own = InArena.at(buffer, 0, 0, lane);
    return group.ask(told(request).moved(place.bases()[request.peer()], own, firstId));
  }

  private Request inArena(Request request) {
    return told(request).moved(0, place.bases()[lane.rank], place.ids().signal());
  }

  /** The request, called what reports are to call it. */
  Request told(Request request) {
    return lane.told()
        ? request.at(place.label() + request.told() + " at " + RankLane.site())
        : request;
  }
}
