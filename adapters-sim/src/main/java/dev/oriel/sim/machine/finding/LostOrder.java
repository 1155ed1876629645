package dev.oriel.sim.machine.finding;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * The order of one execution that a change of the program removes, and what else orders the
 * accesses that relied on it. An event is ordered after its agent's earlier events and after the
 * writers of the messages that it took. A launch is ordered after the one before.
 */
public final class LostOrder {

  /**
   * How two accesses of the same bytes stay in order.
   *
   * @param first the earlier access
   * @param second the later one
   * @param by the event between them that now takes something of another agent; the lane's own
   *     order if there is none
   * @param place the operation of that event in the changed program; none if the event belongs to
   *     no lane
   */
  public record Kept(
      String first, String second, String by, Optional<ExecutionRecord.Place> place) {}

  /**
   * The order that is lost.
   *
   * @param pairs how many adjacent pairs of the original are no longer ordered
   * @param kept the nearest accesses of the same bytes that relied on the first such pair
   * @param open whether accesses relied on one of the pairs and no recorded event orders them now
   * @param whole whether every pair was examined, with every two accesses that relied on it; false
   *     where there are too many, or where the changed program lacks an access
   */
  public record Answer(int pairs, Optional<Kept> kept, boolean open, boolean whole) {}

  /**
   * Identifies an event. If it touches bytes, they and its rank identify it, whichever its lane and
   * however its operation reads. Otherwise its agent and its text identify it.
   */
  private record Name(
      boolean caller,
      int place,
      int launch,
      ExecutionRecorder.Kind kind,
      String text,
      List<Touch> touched,
      int number) {
    Name number(int n) {
      return new Name(caller, place, launch, kind, text, touched, n);
    }
  }

  private record Touch(int rank, int buffer, int from, int length, boolean write) {}

  /** Events, each with the events that it is ordered after. */
  private static final class Graph {
    final List<ExecutionRecorder.Event> events;
    final List<List<ExecutionRecorder.Access>> touched = new ArrayList<>();
    final List<BitSet> before = new ArrayList<>();
    final List<BitSet> past = new ArrayList<>();
    final Map<Name, Integer> byName = new HashMap<>();
    final List<Name> names = new ArrayList<>();
    private final ExecutionRecord story;

    Graph(ExecutionRecord story) {
      this.story = story;
      events = story.recorder().events();
      Map<Integer, Integer> last = new HashMap<>();
      for (int i = 0; i < events.size(); i++) {
        touched.add(new ArrayList<>());
        before.add(new BitSet());
        ExecutionRecorder.Event e = events.get(i);
        after(i, last.getOrDefault(e.actor(), -1));
        after(i, e.cause());
        joined(i, last);
        last.put(e.actor(), i);
      }
      story.recorder().taken.forEach(t -> after(t.event(), t.writer()));
      story.recorder().accesses.forEach(a -> touched.get(a.event()).add(a));
      Map<Name, Integer> times = new HashMap<>();
      for (int i = 0; i < events.size(); i++) {
        Name first = name(i);
        Name name = first.number(times.merge(first, 1, Integer::sum));
        names.add(name);
        byName.put(name, i);
        BitSet all = (BitSet) before.get(i).clone();
        before.get(i).stream().forEach(b -> all.or(past.get(b)));
        past.add(all);
      }
    }

    private Name name(int i) {
      ExecutionRecorder.Event e = events.get(i);
      List<Touch> bytes =
          touched.get(i).stream()
              .map(a -> new Touch(a.rank(), a.buffer(), a.from(), a.length(), a.write()))
              .toList();
      return bytes.isEmpty()
          ? new Name(isCaller(i), e.actor(), e.launch(), e.kind(), e.text(), bytes, 0)
          : new Name(isCaller(i), rank(e.actor()), e.launch(), e.kind(), "", bytes, 0);
    }

    int rankOf(int event) {
      return rank(events.get(event).actor());
    }

    private int rank(int actor) {
      int callers = lanes() + story.code().world();
      if (actor >= lanes() && actor < callers) {
        return actor - lanes();
      }
      return rankOfLane(actor < lanes() ? actor : story.queues().get(actor - callers).lane());
    }

    private void after(int event, int other) {
      if (other >= 0 && other < event) {
        before.get(event).set(other);
      }
    }

    /** Orders a caller after all lanes of its rank, and these lanes after the caller. */
    private void joined(int i, Map<Integer, Integer> last) {
      int actor = events.get(i).actor();
      int lanes = lanes();
      if (isCaller(i)) {
        for (int l = 0; l < lanes; l++) {
          if (rankOfLane(l) == actor - lanes) {
            after(i, last.getOrDefault(l, -1));
          }
        }
      } else if (actor < lanes) {
        after(i, last.getOrDefault(lanes + rankOfLane(actor), -1));
      }
    }

    private int lanes() {
      return story.code().lanes().size();
    }

    private int rankOfLane(int lane) {
      return story.code().lanes().get(lane).rank();
    }

    boolean isCaller(int i) {
      int actor = events.get(i).actor();
      return actor >= lanes() && actor < lanes() + story.code().world();
    }

    boolean ordered(int first, int second) {
      return first == second || past.get(second).get(first);
    }

    String text(int i) {
      ExecutionRecorder.Event e = events.get(i);
      return isCaller(i) ? "the end of the launch" : e.text();
    }
  }

  /**
   * Which accesses are examined, from the most significant on: within one rank the order shows
   * least.
   */
  private enum Reach {
    LANES,
    RANKS,
    ALL
  }

  /** How many pairs without order are examined at most. */
  private static final int MANY = 256;

  /** The order of two accesses without an event of another agent between them. */
  private static final int OWN = -1;

  private static final int START = -2;

  private final Graph one;
  private final Graph other;

  /** For each event of the original: the same event of the other program; -1 if there is none. */
  private final int[] image;

  /** Events of the original that touch bytes. */
  private final BitSet touching = new BitSet();

  private Optional<Kept> kept = Optional.empty();
  private boolean open;
  private boolean skipped;

  private LostOrder(ExecutionRecord original, ExecutionRecord changed) {
    one = new Graph(original);
    other = new Graph(changed);
    image = new int[one.events.size()];
    Arrays.setAll(image, i -> other.byName.getOrDefault(one.names.get(i), -1));
    for (int i = 0; i < image.length; i++) {
      touching.set(i, !one.touched.get(i).isEmpty());
    }
  }

  /** The order of the original that the changed program no longer keeps. */
  public static Answer between(ExecutionRecord original, ExecutionRecord changed) {
    return new LostOrder(original, changed).answer();
  }

  private Answer answer() {
    List<int[]> pairs = new ArrayList<>();
    for (int second = 0; second < image.length; second++) {
      for (int first : one.before.get(second).stream().toArray()) {
        if (lost(first, second)) {
          pairs.add(new int[] {first, second});
        }
      }
    }
    List<int[]> many = pairs.subList(0, Math.min(MANY, pairs.size()));
    for (Reach reach : Reach.values()) {
      for (int[] pair : many) {
        // Every open pair is found, even if another order was found to be kept.
        if (kept.isEmpty() || reach != Reach.LANES) {
          look(pair[0], pair[1], reach);
        }
      }
    }
    return new Answer(pairs.size(), kept, open, many.size() == pairs.size() && !skipped);
  }

  private boolean lost(int first, int second) {
    int a = image[first];
    int b = image[second];
    return a < 0 || b < 0 || !other.ordered(a, b);
  }

  /**
   * Examines the nearest accesses of the same bytes: one up to the first event, one from the
   * second.
   */
  private void look(int first, int second, Reach reach) {
    int[] later = touching.stream().filter(y -> one.ordered(second, y)).toArray();
    BitSet up = (BitSet) one.past.get(first).clone();
    up.set(first);
    up.and(touching);
    for (int x = up.length() - 1; x >= 0; x = x == 0 ? -1 : up.previousSetBit(x - 1)) {
      for (int y : later) {
        if (within(reach, x, y) && conflict(x, y)) {
          if (!paired(x, y)) {
            skipped = true;
            continue;
          }
          if (!other.ordered(image[x], image[y])) {
            open = true;
          } else if (kept.isEmpty()) {
            kept = Optional.of(kept(x, y));
          }
          return;
        }
      }
    }
  }

  private boolean within(Reach reach, int x, int y) {
    return switch (reach) {
      case LANES -> one.rankOf(x) != one.rankOf(y) && !one.isCaller(x);
      case RANKS -> one.rankOf(x) != one.rankOf(y);
      case ALL -> true;
    };
  }

  private boolean paired(int x, int y) {
    return image[x] >= 0 && image[y] >= 0;
  }

  private boolean conflict(int x, int y) {
    for (ExecutionRecorder.Access a : one.touched.get(x)) {
      for (ExecutionRecorder.Access b : one.touched.get(y)) {
        if (a.rank() == b.rank()
            && a.buffer() == b.buffer()
            && (a.write() || b.write())
            && a.from() < b.from() + b.length()
            && b.from() < a.from() + a.length()) {
          return true;
        }
      }
    }
    return false;
  }

  private Kept kept(int first, int second) {
    int by = by(image[first], image[second]);
    String text =
        switch (by) {
          case OWN -> "the lane's own order";
          case START -> "the start of the launch";
          default -> other.text(by);
        };
    Optional<ExecutionRecord.Place> place = by < 0 ? Optional.empty() : other.story.place(by);
    return new Kept(one.text(first), one.text(second), text, place);
  }

  /**
   * The last event on a path from one to the other that is ordered after an event of another agent.
   * If there is none, the constant for what else orders them.
   */
  private int by(int x, int y) {
    int by = OWN;
    int at = y;
    while (at != x) {
      int agent = other.events.get(at).actor();
      int[] ways = other.before.get(at).stream().filter(b -> other.ordered(x, b)).toArray();
      int own = last(ways, b -> other.events.get(b).actor() == agent);
      if (own < 0 && !other.isCaller(at)) {
        return last(ways, other::isCaller) >= 0 ? START : at;
      }
      by = own < 0 ? at : by;
      at = own < 0 ? last(ways, b -> true) : own;
    }
    return by;
  }

  private static int last(int[] events, IntPredicate which) {
    return Arrays.stream(events).filter(which).max().orElse(-1);
  }
}
