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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Words that agents synchronise on. An await tries every message that it may find; one that stands
 * before a satisfying message and a later one that does not satisfy may miss it.
 */
@SuppressWarnings({"EnumOrdinal", "OperatorPrecedence"})
final class PlainWords {
  private final PlainCode code;
  private final PlainRaces races;

  /**
   * Whether an await takes the oldest message that satisfies it, as the machine does where every
   * later one orders as much.
   */
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

  /** Whether somebody is behind the message, and sees it where an interface wrote it. */
  private boolean sees(PlainState s, int word, Who who, Message m) {
    int owner = word < s.memory.length ? code.owner(word) : who.rank();
    int by = code.through(m.agent());
    return races.knows(who, m.event(), by >= 0 ? owner : -1, by);
  }

  /** Whether who knows that knows that somebody found the message, before that event. */
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

  /** How many of them the lane may take. */
  int ways(PlainState s, int lane, int word, Comparison comparison, Expr value) {
    return satisfying(s, lane, word, comparison, code.value(s, lane, value)).size();
  }

  private List<Integer> satisfying(
      PlainState s, int lane, int word, Comparison comparison, long wanted) {
    List<Integer> found = readable(s, lane, word);
    found.removeIf(i -> !comparison.test(s.words[word][i].value(), wanted));
    return oldest && !found.isEmpty() && !code.uneven(word) ? found.subList(0, 1) : found;
  }

  /** Those of them that the lane may take, now that it takes one. */
  List<Integer> satisfying(PlainState s, int lane, int word, Comparison comparison, Expr value) {
    long wanted = code.value(s, lane, value);
    List<Integer> found = satisfying(s, lane, word, comparison, wanted);
    if (!found.isEmpty()) {
      for (int i = found.getFirst(); i < s.words[word].length; i++) {
        if (!comparison.test(s.words[word][i].value(), wanted)) {
          races.found.add(Kind.OVERWRITE);
        }
      }
    }
    return found;
  }

  /** The lane stores over the last message and learns nothing; false if the execution ends. */
  boolean over(PlainState s, int lane, int word, Scope scope) {
    s.views[lane * code.words + word] = s.words[word].length - 1;
    return meets(last(s, word), lane, scope) || races.fails(Kind.SCOPE);
  }

  private Scope needed(Message m, int lane) {
    boolean nic = m.agent() >= code.lanes;
    return nic ? Scope.SYS : code.apart(m.agent() < 0 ? -2 - m.agent() : m.agent(), lane);
  }

  private boolean meets(Message m, int lane, Scope scope) {
    return m.event() < 0
        || (m.scope() >= needed(m, lane).ordinal() && scope.compareTo(needed(m, lane)) >= 0);
  }

  /** The lane takes a message; false if the execution ends with it. */
  boolean take(PlainState s, int lane, int word, int index, Order order, Scope scope) {
    Message m = s.words[word][index];
    s.views[lane * code.words + word] = index;
    if (m.event() < 0) {
      return true;
    }
    if (!meets(m, lane, scope)) {
      return races.fails(Kind.SCOPE);
    }
    int level = Math.max(0, needed(m, lane).ordinal() - 1);
    long set = m.sets()[level];
    if (order.acquires()) {
      s.leader[lane] |= set;
      if (!code.threads[lane]) {
        s.worker[lane] = s.leader[lane];
      }
    } else {
      s.pending[PlainCode.LEVELS * lane + level] |= set;
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
      int event,
      Atomic change,
      long value,
      long compare,
      boolean release,
      Scope scope,
      boolean alone,
      boolean reads) {
    Message old = last(s, word);
    Who who = new Who(s.leader[lane], code.rank[lane]);
    if (!mayWrite(s, word, who, lane, old, alone, event) || !asExpected(change, compare, old)) {
      return false;
    }
    boolean chain = reads || (alone && old.agent() == lane);
    long[] own = new long[PlainCode.LEVELS];
    long[] sets = new long[PlainCode.LEVELS];
    for (int v = 0; v < sets.length; v++) {
      boolean all = release && v < scope.ordinal();
      own[v] = all ? s.leader[lane] : s.fenced[PlainCode.LEVELS * lane + v];
      for (Message before : s.words[word]) {
        own[v] |= before.agent() == lane && word < s.memory.length ? before.own()[v] : 0;
      }
      sets[v] = own[v] | (chain ? old.sets()[v] : 0);
    }
    long changed = change.apply(old.value(), value, compare);
    Message next = new Message(changed, event, lane, scope.ordinal(), sets, own);
    if (!released(s, word, old, next)) {
      return races.fails(Kind.WRITERS);
    }
    write(s, word, next);
    return true;
  }

  /** Whether the word may be changed now: by its only writer, or where all changes are atomic. */
  boolean mayWrite(
      PlainState s, int word, Who who, int agent, Message old, boolean alone, int event) {
    if (old.event() < 0
        || old.agent() == agent
        || (alone && (who.knows() & PlainRaces.bit(old.event())) != 0)
        || (!alone && sees(s, word, who, old))
        || (!alone
            && (who.knows() & PlainRaces.bit(old.event())) != 0
            && foundBefore(s, who.knows(), word, s.words[word].length - 1, event))) {
      return true;
    }
    boolean apart = code.through(old.agent()) != who.through();
    return alone ? races.fails(Kind.WRITERS) : !apart || races.fails(Kind.ATOMICITY);
  }

  /** Whether a word that is made 0 as a lock is one that was taken. */
  boolean asExpected(Atomic change, long compare, Message old) {
    boolean unlocks = change == Atomic.SET && compare != 0;
    return !unlocks || old.value() != 0 || races.fails(Kind.WRITERS);
  }

  /** Whether the message leaves the word, or releases it as a lock that the same lane took. */
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

  /** The message is the word's last, and its value what memory holds there. */
  void write(PlainState s, int word, Message message) {
    append(s, word, message);
    changed(s, word, message.value());
  }

  void append(PlainState s, int word, Message message) {
    Message[] old = s.words[word];
    s.words[word] = Arrays.copyOf(old, old.length + 1);
    s.words[word][old.length] = message;
  }

  private void changed(PlainState s, int word, long value) {
    if (word < s.memory.length) {
      s.memory[word] = value;
    }
  }
}
