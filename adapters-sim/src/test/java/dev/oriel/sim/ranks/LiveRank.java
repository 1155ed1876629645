package dev.oriel.sim.ranks;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A lane of a rank whose code runs on a caller's thread and cannot be restarted. It keeps the
 * requests of the code, so a restarted execution can replay them without the code.
 */
final class LiveRank implements RequestSource {
  private final RequestSource code;
  private final List<LiveRank> sides;
  private final List<Optional<LaneRequest>> asked = new ArrayList<>();
  private int at;

  LiveRank(RequestSource code) {
    this.code = code;
    this.sides = code.sides().stream().map(LiveRank::new).toList();
  }

  @Override
  public List<LiveRank> sides() {
    return sides;
  }

  @Override
  public void restart(boolean described) {
    at = 0;
  }

  @Override
  public Optional<LaneRequest> next(Optional<LaneReply> reply) {
    if (at == asked.size()) {
      asked.add(code.next(reply));
    }
    return asked.get(at++);
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
    if (asked.isEmpty() || asked.getLast().isPresent()) {
      code.stop();
      asked.add(Optional.empty());
    }
  }
}
