package dev.oriel.sim.oracle;

import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.window.Comparison;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.oracle.PlainRaces.Who;
import dev.oriel.sim.oracle.PlainState.Found;
import dev.oriel.sim.oracle.PlainState.Message;
import dev.oriel.sim.oracle.PlainState.Release;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Words on which agents synchronise. An await tries every message that it may find. If an await may
 * find both a satisfying message and a later one that does not satisfy, it may miss the value.
 */
@SuppressWarnings({"EnumOrdinal", "NullAway", "OperatorPrecedence"}) // lists end in null
final class PlainWords {
  private final PlainCode code;
  private final PlainRaces races;

  /** Whether an await skips a message that brings no less order than an older one. */
  private final boolean oldest;

  PlainWords(PlainCode code, PlainRaces races, boolean oldest) {
    this.code = code;
    this.races = races;
    this.oldest = oldest;
  }

  static Message last(PlainState s, int word) {
    return s.words[word][s.words[word].length - 1];
  }

  /** The messages that the lane may find. */
  List<Integer> readable(PlainState s, int lane, int word) {
    List<Integer> found = new ArrayList<>();
    for (int i = s.words[word].length - 1; i >= 0; i--) {
      found.addFirst(i);
      int event = s.words[word][i].event();
      if (i <= s.views[lane * code.words + word]
          || event < 0
          || sees(s, word, new Who(s.leader[lane], code.rank[lane]), s.words[word][i])
          || foundBefore(s, s.leader[lane], word, i, s.events)) {
        break;
      }
    }
    return found;
  }

  /** Whether the agent is ordered after the message, and sees it if an interface wrote it. */
  private boolean sees(PlainState s, int word, Who who, Message m) {
    int owner = word < s.memory.length ? code.owner(word) : who.rank();
    int by = code.through(m.agent());
    return races.knows(who, m.event(), by >= 0 ? owner : -1, by);
  }

  /**
   * Whether an agent with that knowledge is ordered after a read, before that event, of the
   * message.
   */
  private static boolean foundBefore(PlainState s, long knows, int word, int index, int event) {
    for (Found f = s.found; f != null; f = f.before()) {
      if (f.word() == word
          && f.index() == index
          && f.event() < event
          && (knows & PlainRaces.bit(f.event())) != 0) {
        return true;
      }
    }
    return false;
  }

  /** The number of messages that the lane may take. */
  int ways(PlainState s, int lane, int word, Comparison comparison, Expr value) {
    return satisfying(s, lane, word, comparison, code.value(s, lane, value)).size();
  }

  private List<Integer> satisfying(
      PlainState s, int lane, int word, Comparison comparison, long wanted) {
    List<Integer> found = readable(s, lane, word);
    found.removeIf(i -> !comparison.test(s.words[word][i].value(), wanted));
    List<Integer> least = new ArrayList<>();
    for (int i : found) {
      if (!oldest || least.stream().noneMatch(k -> covers(s, lane, word, i, k))) {
        least.add(i);
      }
    }
    return least;
  }

  /** Whether a message brings the lane at least as much order as an older one. */
  private boolean covers(PlainState s, int lane, int word, int index, int older) {
    Message more = s.words[word][index];
    Message less = s.words[word][older];
    for (Message m : List.of(more, less)) {
      if (m.event() >= 0 && m.scope() < needed(m.agent(), lane).ordinal()) {
        return false;
      }
    }
    for (int v = 0; v < PlainCode.LEVELS; v++) {
      if ((learned(less, lane, v) & ~learned(more, lane, v)) != 0) {
        return false;
      }
    }
    return true;
  }

  /** The events that the lane acquires from a message at exactly that level. */
  private long learned(Message m, int lane, int level) {
    long set = 0;
    for (Release r : m.releases()) {
      boolean at = m.event() >= 0 && level(needed(r.agent(), lane)) == level;
      set |= at ? r.sets()[level] : 0;
    }
    return set;
  }

  private static int level(Scope needed) {
    return Math.max(0, needed.ordinal() - 1);
  }

  /** The messages that the lane may take now. */
  List<Integer> satisfying(PlainState s, int lane, int word, Comparison comparison, Expr value) {
    long wanted = code.value(s, lane, value);
    List<Integer> found = satisfying(s, lane, word, comparison, wanted);
    if (!found.isEmpty()) {
      for (int i = found.getFirst(); i < s.words[word].length; i++) {
        if (!comparison.test(s.words[word][i].value(), wanted)) {
          races.at(s);
          races.fails(Kind.OVERWRITE);
        }
      }
    }
    return found;
  }

  /**
   * The messages after which a change by the lane may come: the lane is ordered after no later one,
   * and no atomic directly follows in coherence order.
   */
  List<Integer> predecessors(PlainState s, int lane, int word) {
    List<Integer> found = readable(s, lane, word);
    found.removeIf(i -> i + 1 < s.words[word].length && s.words[word][i + 1].update());
    return found;
  }

  /** The lane stores after the message and acquires nothing; false if the execution ends. */
  boolean over(PlainState s, int lane, int word, int index, Scope scope) {
    boolean fine = meets(s, word, index, lane, scope) || races.fails(Kind.SCOPE);
    s.views[lane * code.words + word] = index;
    return fine;
  }

  /** Whether the scopes of all later messages and of the lane's change include both lanes. */
  boolean meetsLater(PlainState s, int lane, int word, int index, Scope scope) {
    for (int i = index + 1; i < s.words[word].length; i++) {
      if (!meets(s, word, i, lane, scope)) {
        return races.fails(Kind.SCOPE);
      }
    }
    return true;
  }

  private Scope needed(int agent, int lane) {
    boolean nic = agent >= code.lanes;
    return nic ? Scope.SYS : code.apart(agent < 0 ? -2 - agent : agent, lane);
  }

  private boolean meets(Message m, int lane, Scope scope) {
    if (m.event() < 0) {
      return true;
    }
    Scope needed = needed(m.agent(), lane);
    return m.scope() >= needed.ordinal() && scope.compareTo(needed) >= 0;
  }

  /** Whether the scopes match, or the lane was ordered after the message already. */
  private boolean meets(PlainState s, int word, int index, int lane, Scope scope) {
    return meets(s.words[word][index], lane, scope)
        || s.views[lane * code.words + word] >= index
        || sees(s, word, new Who(s.leader[lane], code.rank[lane]), s.words[word][index])
        || foundBefore(s, s.leader[lane], word, index, Integer.MAX_VALUE);
  }

  /** An acquire also acquires the releases that the lane read from the word before without one. */
  private void acquire(PlainState s, int lane, int word, Scope scope) {
    for (int v = 0; v <= level(scope); v++) {
      s.leader[lane] |= s.taken[taken(lane, word) + v];
    }
    if (!code.threads[lane]) {
      s.worker[lane] = s.leader[lane];
    }
  }

  private int taken(int lane, int word) {
    return PlainCode.LEVELS * (lane * code.words + word);
  }

  /** The lane takes a message; false if the execution ends with it. */
  boolean take(PlainState s, int lane, int word, int index, Order order, Scope scope) {
    Message m = s.words[word][index];
    if (order.acquires()) {
      acquire(s, lane, word, scope);
    }
    boolean known = meets(s, word, index, lane, scope);
    s.views[lane * code.words + word] = index;
    if (m.event() < 0) {
      return true;
    }
    if (!meets(m, lane, scope)) {
      return known || races.fails(Kind.SCOPE);
    }
    for (int v = 0; v < PlainCode.LEVELS; v++) {
      long set = learned(m, lane, v);
      if (order.acquires() && v <= level(scope)) {
        s.leader[lane] |= set;
        if (!code.threads[lane]) {
          s.worker[lane] = s.leader[lane];
        }
      } else {
        s.pending[PlainCode.LEVELS * lane + v] |= set;
        s.taken[taken(lane, word) + v] |= set;
      }
    }
    if (!sees(s, word, new Who(s.leader[lane], code.rank[lane]), m)) {
      int event = races.event(s);
      PlainSettling.did(code, s, lane, event);
      s.found = new Found(word, index, event, s.found);
    }
    return true;
  }

  /** The lane changes a word; false if the execution ends with it. */
  boolean change(
      PlainState s,
      int lane,
      int word,
      int after,
      int event,
      Atomic change,
      long value,
      long compare,
      boolean release,
      Scope scope,
      boolean alone,
      boolean reads) {
    Message old = s.words[word][after];
    Who who = new Who(s.leader[lane], code.rank[lane]);
    if (!mayWrite(s, word, who, lane, alone, event) || !asExpected(change, compare, old)) {
      return false;
    }
    boolean chain = reads || (alone && old.agent() == lane);
    long[] own = new long[PlainCode.LEVELS];
    for (int v = 0; v < own.length; v++) {
      boolean all = release && v < scope.ordinal();
      own[v] = all ? s.leader[lane] : s.fenced[PlainCode.LEVELS * lane + v];
      for (Message before : s.words[word]) {
        own[v] |= before.agent() == lane && word < s.memory.length ? before.own()[v] : 0;
      }
    }
    List<Release> releases = new ArrayList<>(List.of(new Release(lane, own)));
    releases.addAll(chain ? old.releases() : List.of());
    long changed = change.apply(old.value(), value, compare);
    Message next = new Message(changed, event, lane, scope.ordinal(), reads, releases, own);
    if (!released(s, word, old, next)) {
      return races.fails(Kind.WRITERS);
    }
    enter(s, word, after, next);
    return true;
  }

  /** Whether the word may be changed now: by its only writer, or if all changes are atomic. */
  boolean mayWrite(PlainState s, int word, Who who, int agent, boolean alone, int event) {
    for (int i = s.words[word].length - 1; i >= 0; i--) {
      Message old = s.words[word][i];
      if (old.event() < 0
          || old.agent() == agent
          || (alone && (who.knows() & PlainRaces.bit(old.event())) != 0)
          || (!alone && sees(s, word, who, old))
          || (!alone
              && (who.knows() & PlainRaces.bit(old.event())) != 0
              && foundBefore(s, who.knows(), word, i, event))) {
        return true;
      }
      if (alone) {
        return races.fails(Kind.WRITERS);
      }
      if (code.through(old.agent()) != who.through()) {
        return races.fails(Kind.ATOMICITY);
      }
    }
    return true;
  }

  /** The events that the message releases to an interface. */
  static long released(Message m) {
    return m.releases().stream()
        .mapToLong(r -> r.sets()[PlainCode.LEVELS - 1])
        .reduce(0, (a, b) -> a | b);
  }

  /** Whether a word that an unlock sets to 0 is a lock that was taken. */
  boolean asExpected(Atomic change, long compare, Message old) {
    boolean unlocks = change == Atomic.SET && compare != 0;
    return !unlocks || old.value() != 0 || races.fails(Kind.WRITERS);
  }

  /** Whether the message does not touch a lock, or releases it by the lane that took it. */
  boolean released(PlainState s, int word, Message old, Message next) {
    if (next.value() != 0) {
      return true;
    }
    boolean other = old.event() >= 0 && code.laneOf(old.agent()) != code.laneOf(next.agent());
    boolean fine = old.value() == 0 || !other || !s.locked.get(word);
    s.locked.clear(word);
    return fine;
  }

  static boolean locked(PlainState s, int word) {
    s.locked.set(word);
    return true;
  }

  /** Appends the message to the word's order and writes its value to memory. */
  void write(PlainState s, int word, Message message) {
    enter(s, word, s.words[word].length - 1, message);
  }

  void append(PlainState s, int word, Message message) {
    Message[] old = s.words[word];
    s.words[word] = Arrays.copyOf(old, old.length + 1);
    s.words[word][old.length] = message;
  }

  /** Inserts the message after that one; memory holds the last message's value. */
  private void enter(PlainState s, int word, int after, Message message) {
    List<Message> all = new ArrayList<>(List.of(s.words[word]));
    all.add(after + 1, message);
    s.words[word] = all.toArray(Message[]::new);
    for (int l = 0; l < code.lanes; l++) {
      s.views[l * code.words + word] += s.views[l * code.words + word] > after ? 1 : 0;
    }
    s.found = moved(s.found, word, after);
    if (word < s.memory.length) {
      s.memory[word] = all.getLast().value();
    }
  }

  private static Found moved(Found found, int word, int after) {
    if (found == null) {
      return null;
    }
    int moved = found.word() == word && found.index() > after ? 1 : 0;
    Found before = moved(found.before(), word, after);
    return new Found(found.word(), found.index() + moved, found.event(), before);
  }
}
