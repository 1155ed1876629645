package dev.oriel.sim.ranks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The requests of one rank's code in one execution, with the answer before each. */
final class RequestJournal {
  private record Entry(Optional<LaneRequest> request, Optional<LaneReply> answered) {}

  private final List<Entry> entries = new ArrayList<>();

  /** Records that the code made this request, or completed, after that answer. */
  void add(Optional<LaneRequest> request, Optional<LaneReply> answered) {
    entries.add(new Entry(request, answered));
  }

  /** The first request that differs although all answers before it were the same, in words. */
  Optional<String> difference(RequestJournal other) {
    for (int i = 0; i < Math.min(entries.size(), other.entries.size()); i++) {
      Entry mine = entries.get(i);
      Entry theirs = other.entries.get(i);
      if (!same(mine.answered, theirs.answered)) {
        return Optional.empty();
      }
      if (!hash(mine).equals(hash(theirs))) {
        return Optional.of(
            "call=%d: '%s' and then '%s'".formatted(i + 1, description(theirs), description(mine)));
      }
    }
    return Optional.empty();
  }

  private static boolean same(Optional<LaneReply> one, Optional<LaneReply> other) {
    return one.isPresent() == other.isPresent()
        && (one.isEmpty() || same(one.get(), other.orElseThrow()));
  }

  private static boolean same(LaneReply one, LaneReply other) {
    return one.value() == other.value()
        && one.timedOut() == other.timedOut()
        && one.abort().equals(other.abort())
        && one.failure().equals(other.failure())
        && Arrays.equals(one.bytes(), other.bytes());
  }

  private static Optional<Long> hash(Entry entry) {
    return entry.request.map(LaneRequest::hash);
  }

  private static String description(Entry entry) {
    return entry.request.map(LaneRequest::description).orElse("the end");
  }
}
