package dev.oriel.sim.ranks;

import java.util.List;
import java.util.Optional;

/** The code of a rank that runs on a caller's thread, whenever that thread hands over a turn. */
final class AtDesk implements Rank {
  final Desk desk = new Desk();
  final List<SideLane> sides;

  AtDesk(List<SideLane> sides) {
    this.sides = sides;
  }

  @Override
  public List<SideLane> sides() {
    return sides;
  }

  @Override
  public void restart(boolean told) {
    throw new UnsupportedOperationException("runs once");
  }

  @Override
  public Optional<Request> next(Optional<Reply> reply) {
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
