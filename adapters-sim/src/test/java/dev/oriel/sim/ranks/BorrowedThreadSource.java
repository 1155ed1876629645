package dev.oriel.sim.ranks;

import java.util.List;
import java.util.Optional;

/** The code of a rank that runs on a caller's thread, whenever that thread hands over a turn. */
final class BorrowedThreadSource implements RequestSource {
  final TurnHandoff desk = new TurnHandoff();
  final List<SecondaryLane> sides;

  BorrowedThreadSource(List<SecondaryLane> sides) {
    this.sides = sides;
  }

  @Override
  public List<SecondaryLane> sides() {
    return sides;
  }

  @Override
  public void restart(boolean described) {
    throw new UnsupportedOperationException("runs once");
  }

  @Override
  public Optional<LaneRequest> next(Optional<LaneReply> reply) {
    return reply.map(desk::answer).orElseGet(desk::first);
  }

  @Override
  public Optional<Throwable> thrown() {
    return Optional.empty();
  }

  @Override
  public String where(Throwable thrown) {
    return "";
  }

  @Override
  public void stop() {
    desk.end();
  }
}
