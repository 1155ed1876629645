package dev.oriel.it.readback;

import dev.oriel.it.readback.Event.Kind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongPredicate;

/** The required actions of a lane's threads for one step, between two barriers. */
abstract class Wanted {
  private final String step;

  Wanted(String step) {
    this.step = step;
  }

  /** The step's number and text. */
  String step() {
    return step;
  }

  /** Whether the event belongs to this step; each event is offered to a step once. */
  abstract boolean takes(Event e);

  /** Whether this thread itself has to make the weak load for the step. */
  boolean needs(Event e) {
    return false;
  }

  /** Whether the weak load is one that threads share for the step. */
  boolean reads(Event e) {
    return false;
  }

  /** The missing action, if any. */
  abstract Optional<String> missing(Layout layout);

  /** The number of required actions. */
  abstract int actions();

  /** Every thread does it once: a fence, or a load of a word that all of them need. */
  static final class Every extends Wanted {
    private final int threads;
    private final Kind kind;
    private final String order;
    private final String scope;
    private final long address;
    private final int bytes;
    private final Set<Integer> did = new HashSet<>();

    Every(
        String step, int threads, Kind kind, String order, String scope, long address, int bytes) {
      super(step);
      this.threads = threads;
      this.kind = kind;
      this.order = order;
      this.scope = scope;
      this.address = address;
      this.bytes = bytes;
    }

    @Override
    boolean takes(Event e) {
      return kind == Kind.FENCE && e.is(kind, order, scope) && did.add(e.thread());
    }

    @Override
    boolean needs(Event e) {
      return e.is(kind, order, scope) && e.at(address, bytes) && did.add(e.thread());
    }

    @Override
    Optional<String> missing(Layout layout) {
      return did.size() == threads
          ? Optional.empty()
          : Optional.of("%d of %d threads do it".formatted(did.size(), threads));
    }

    @Override
    int actions() {
      return threads;
    }
  }

  /** Thread 0 does it, so it keeps its order with other actions of thread 0. */
  static final class Leader extends Wanted {
    private final Kind kind;
    private final String order;
    private final String scope;
    private final long address;
    private final int bytes;
    private final LongPredicate value;
    private final boolean again;
    private boolean done;

    /**
     * @param value of the store or addition, or the value that a load or swap must find
     * @param again whether it may be repeated until it finds the value
     */
    Leader(
        String step,
        Kind kind,
        String order,
        String scope,
        long address,
        int bytes,
        LongPredicate value,
        boolean again) {
      super(step);
      this.kind = kind;
      this.order = order;
      this.scope = scope;
      this.address = address;
      this.bytes = bytes;
      this.value = value;
      this.again = again;
    }

    @Override
    boolean takes(Event e) {
      if (done || e.thread() != 0 || !e.is(kind, order, scope) || !e.at(address, bytes)) {
        return false;
      }
      done = value.test(kind == Kind.SWAP ? e.values().getLast() : e.values().getFirst());
      return done || again;
    }

    @Override
    Optional<String> missing(Layout layout) {
      return done
          ? Optional.empty()
          : Optional.of(
              "thread 0 does no %s.%s.%s of %s with that value"
                  .formatted(kind, order, scope, layout.describe(address)));
    }

    @Override
    int actions() {
      return 1;
    }
  }

  /**
   * A signal: each peer's word is written once. Rule <i>one release for all</i>: thread 0 may fence
   * with the signal's scope and then write relaxed words, since a fence followed by a relaxed write
   * releases like a release write. Rule <i>at once</i>: if a barrier comes directly before the step
   * and another after it, each word may be written by another thread. The barrier orders the
   * block's earlier actions before every thread, and no other action of a thread is next to the
   * step.
   */
  static final class Signal extends Wanted {
    private final Kind kind;
    private final boolean release;
    private final String scope;
    private final boolean alone;
    private final Map<Long, Long> words;
    private final Set<Integer> fenced = new HashSet<>();
    private final int count;

    Signal(
        String step,
        Kind kind,
        boolean release,
        String scope,
        boolean alone,
        Map<Long, Long> words) {
      super(step);
      this.kind = kind;
      this.release = release;
      this.scope = scope;
      this.alone = alone;
      this.words = new TreeMap<>(words);
      this.count = words.size();
    }

    @Override
    boolean takes(Event e) {
      if (e.thread() != 0 && !alone) {
        return false;
      }
      if (release && e.is(Kind.FENCE, "acq_rel", scope)) {
        return e.thread() == 0 && words.size() == count && fenced.add(0);
      }
      Long wanted = words.get(e.place().address());
      boolean ordered =
          e.is(kind, release ? "release" : "relaxed", scope)
              || (release && fenced.contains(e.thread()) && e.is(kind, "relaxed", scope));
      if (!ordered
          || wanted == null
          || e.place().bytes() != Long.BYTES
          || e.values().getFirst() != (long) wanted) {
        return false;
      }
      words.remove(e.place().address());
      return true;
    }

    @Override
    Optional<String> missing(Layout layout) {
      return words.isEmpty()
          ? Optional.empty()
          : Optional.of(
              "nobody writes %s with that order, scope and value"
                  .formatted(layout.describe(words.keySet().iterator().next())));
    }

    @Override
    int actions() {
      return count;
    }
  }

  /**
   * A wait for words, each by one thread. Rule <i>look, then acquire</i>: a thread may poll relaxed
   * and acquire the same word after success, since that acquire reads the same write or a later
   * one. Words arrive late here, so a missing second poll is detected.
   */
  static final class Poll extends Wanted {
    private final String order;
    private final String scope;
    private final boolean together;
    private final LongPredicate enough;
    private final Set<Long> words;
    private final Map<Long, Integer> thread = new HashMap<>();
    private final Map<Long, Long> seen = new TreeMap<>();
    private final Set<Long> ordered = new HashSet<>();

    /**
     * @param together whether the wait is for the sum of the words
     */
    Poll(
        String step,
        String order,
        String scope,
        boolean together,
        LongPredicate enough,
        Set<Long> words) {
      super(step);
      this.order = order;
      this.scope = scope;
      this.together = together;
      this.enough = enough;
      this.words = Set.copyOf(words);
    }

    @Override
    boolean takes(Event e) {
      long word = e.place().address();
      if (e.kind() != Kind.LOAD
          || e.place().bytes() != Long.BYTES
          || !words.contains(word)
          || !e.scope().equals(scope)
          || (!e.order().equals(order) && !e.order().equals("relaxed"))
          || thread.merge(word, e.thread(), (a, b) -> a) != e.thread()) {
        return false;
      }
      seen.put(word, e.values().getFirst());
      if (e.order().equals(order)) {
        ordered.add(word);
      } else {
        ordered.remove(word);
      }
      return true;
    }

    @Override
    Optional<String> missing(Layout layout) {
      for (long word : words) {
        if (!ordered.contains(word)) {
          return Optional.of(
              "nobody ends with ld.%s.%s of %s".formatted(order, scope, layout.describe(word)));
        }
        if (!together && !enough.test(seen.getOrDefault(word, 0L))) {
          return Optional.of("goes on before it is there: " + layout.describe(word));
        }
      }
      return together && !enough.test(seen.values().stream().mapToLong(Long::longValue).sum())
          ? Optional.of("goes on before the sum is there")
          : Optional.empty();
    }

    @Override
    int actions() {
      return words.size();
    }
  }

  /** An action that is checked elsewhere. */
  static Wanted nothing(String step) {
    return new Wanted(step) {
      @Override
      boolean takes(Event e) {
        return false;
      }

      @Override
      Optional<String> missing(Layout layout) {
        return Optional.empty();
      }

      @Override
      int actions() {
        return 0;
      }
    };
  }
}
