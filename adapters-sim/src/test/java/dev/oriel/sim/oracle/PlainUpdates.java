package dev.oriel.sim.oracle;

import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Scope;
import dev.oriel.sim.oracle.PlainState.Update;
import java.util.List;

/** Changes of words for which their lanes do not wait: each takes effect at some later time. */
@SuppressWarnings({"NonCanonicalType", "OperatorPrecedence", "ReferenceEquality", "UnusedVariable"})
final class PlainUpdates {
  private final PlainCode code;
  private final PlainWords words;

  PlainUpdates(PlainCode code, PlainWords words) {
    this.code = code;
    this.words = words;
  }

  /** A relaxed atomic without a result, which takes effect at any later time. */
  static boolean late(MicroOperation.Rmw m) {
    return m.register().isEmpty() && m.order() == Order.RELAXED;
  }

  /** The number of ways in which an update of the lane may happen next: the oldest of each word. */
  int ways(PlainState s, int lane) {
    return s.updates.get(lane).stream()
        .mapToInt(Update::word)
        .distinct()
        .map(word -> words.predecessors(s, lane, word).size())
        .sum();
  }

  /**
   * A release or fence for other lanes waits for every earlier update; an access of a word waits
   * for the updates of that word.
   */
  boolean afterUpdates(PlainState s, int lane) {
    List<Update> updates = s.updates.get(lane);
    return !updates.isEmpty()
        && switch (code.step(s, lane)) {
          case MicroOperation.Fence f -> f.scope() != Scope.CTA;
          case MicroOperation.End e -> true;
          case MicroOperation.WriteSlot w -> w.order() == Order.RELEASE && w.scope() != Scope.CTA;
          case MicroOperation.Rmw m ->
              !late(m) && (m.order() == Order.RELEASE || changes(updates, s, lane, m.word()));
          case MicroOperation.PollWord p -> changes(updates, s, lane, p.word());
          case MicroOperation.Lock(var word, var scope) -> changes(updates, s, lane, word);
          case MicroOperation.LoadWord l -> changes(updates, s, lane, l.word());
          case MicroOperation.StoreWord w -> changes(updates, s, lane, w.word());
          case MicroOperation.Copy c -> {
            int words = code.value(s, lane, c.bytes()) == 16 ? 2 : 1;
            int from = code.place(s, lane, c.sources().getFirst().region());
            int to = code.place(s, lane, c.destinations().getFirst());
            yield updates.stream()
                .anyMatch(u ->
                    u.word() >= from && u.word() < from + words
                        || u.word() >= to && u.word() < to + words);
          }
          case MicroOperation.BulkCopy c ->
              updates.stream()
                  .anyMatch(u ->
                      u.word() / 2 == code.place(s, lane, c.to()) / 2
                          || u.word() / 2 == code.place(s, lane, c.from()) / 2);
          default -> false;
        };
  }

  private boolean changes(List<Update> updates, PlainState s, int lane, Region word) {
    return updates.stream().anyMatch(u -> u.word() == code.place(s, lane, word));
  }

  /** One of the lane's updates takes effect, the oldest of its word, in the way of that number. */
  boolean update(PlainState s, int lane, int way) {
    List<Update> all = s.updates.get(lane);
    int left = way;
    int word = -1;
    List<Integer> places = List.of();
    for (int w : all.stream().mapToInt(Update::word).distinct().toArray()) {
      left -= places.size();
      word = w;
      places = words.predecessors(s, lane, w);
      if (left < places.size()) {
        break;
      }
    }
    return update(s, lane, all, word, places.get(left));
  }

  private boolean update(PlainState s, int lane, List<Update> all, int word, int after) {
    Update u = all.stream().filter(v -> v.word() == word).findFirst().orElseThrow();
    s.updates.set(lane, all.stream().filter(v -> v != u).toList());
    boolean adds = u.change() != Atomic.SET;
    boolean clean =
        words.meetsLater(s, lane, word, after, Scope.SYS)
            && (adds
                ? words.take(s, lane, word, after, Order.RELAXED, Scope.SYS)
                : words.over(s, lane, word, after, Scope.SYS));
    return clean
        && words.change(
            s,
            lane,
            word,
            after,
            u.event(),
            u.change(),
            u.value(),
            u.compare(),
            false,
            Scope.SYS,
            false,
            adds);
  }
}
