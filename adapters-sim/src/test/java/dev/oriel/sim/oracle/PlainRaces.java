package dev.oriel.sim.oracle;

import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.oracle.PlainState.Access;
import dev.oriel.sim.oracle.PlainState.Found;
import dev.oriel.sim.oracle.PlainState.Message;
import java.util.EnumSet;
import java.util.Set;

/**
 * Which accesses race: conflicting ones of which no set of events orders the later after the
 * earlier. A source whose fetch precedes the overwriting write in every execution has no race. A
 * source that may be overwritten first races in either order.
 */
@SuppressWarnings("OperatorPrecedence")
final class PlainRaces {
  /** The findings of all executions so far. */
  final Set<Kind> found = EnumSet.noneOf(Kind.class);

  /**
   * Findings after a source was overwritten without an order after the fetch. They count only if no
   * execution overwrites first; otherwise all of these executions race.
   */
  final Set<Kind> late = EnumSet.noneOf(Kind.class);

  private boolean overwrote;

  private final PlainCode code;

  PlainRaces(PlainCode code) {
    this.code = code;
  }

  /** An accessing agent: the events before it, its rank, and its interface; -1 for a thread. */
  record Who(long knows, int rank, int through) {
    Who(long knows, int rank) {
      this(knows, rank, -1);
    }
  }

  static long bit(int event) {
    return 1L << 2 * event;
  }

  int event(PlainState s) {
    if (s.events == 31) {
      throw new PlainSearch.TooLargeException();
    }
    return s.events++;
  }

  /** Whether the agent is ordered after that event and, for an interface's write, sees it. */
  boolean knows(Who who, int event, int placed, int by) {
    return (who.knows & bit(event) << (hidden(who, placed, by) ? 1 : 0)) != 0;
  }

  /**
   * Whether an interface's write into the rank's memory needs an extra step to be visible to the
   * agent.
   */
  private boolean hidden(Who who, int placed, int by) {
    boolean elsewhere = placed != who.rank || (who.through >= 0 && who.through != by);
    return placed >= 0
        && switch (code.profile.visibility()) {
          case ALL -> false;
          case OWNER -> elsewhere;
          case NONE -> elsewhere || who.through < 0;
        };
  }

  /**
   * Whether that is a strong write of a word, or an interface's that is awaited, and the agent is
   * ordered after it or after a write that replaced it, or after a strong read that found one of
   * these.
   */
  private boolean found(PlainState s, Who who, Access a) {
    boolean put = a.placed() >= 0 && a.cell() != 0;
    if (!(a.strong() || put) || !a.write()) {
      return false;
    }
    Message[] messages = s.words[a.place()];
    boolean there = false;
    for (int i = 0; i < messages.length; i++) {
      Message m = messages[i];
      there |= m.event() == a.event();
      int by = code.through(m.agent());
      int placed = by >= 0 ? code.owner(a.place()) : -1;
      boolean seen = !hidden(who, placed, by) && foundBefore(s, who, a.place(), i);
      if (there && (seen || knows(who, m.event(), placed, by))) {
        return true;
      }
    }
    return false;
  }

  private static boolean foundBefore(PlainState s, Who who, int word, int index) {
    boolean found = false;
    for (Found f = s.found; f != null; f = f.before()) {
      found |= f.word() == word && f.index() == index && (who.knows & bit(f.event())) != 0;
    }
    return found;
  }

  /** Whether the agent is ordered after an access, or after a store of a whole cell that is. */
  private boolean before(PlainState s, Who who, Access access) {
    boolean before = knows(who, access.event(), access.placed(), access.by());
    for (Access a = s.accesses; a != null && !before; a = a.next()) {
      before =
          a.place() == access.place()
              && (a.cell() & bit(access.event())) != 0
              && knows(who, a.event(), a.placed(), a.by());
    }
    return before;
  }

  /** The accesses of that place that are ordered before the agent. */
  long after(PlainState s, Who who, int place) {
    long after = 0;
    for (Access a = s.accesses; a != null; a = a.next()) {
      after |= a.place() == place && before(s, who, a) ? bit(a.event()) : 0;
    }
    return after;
  }

  /** Records an access; false if it races with an earlier one. */
  boolean access(PlainState s, Who who, int place, Access mine) {
    for (Access a = s.accesses; a != null; a = a.next()) {
      if (a.place() == place
          && a.event() != mine.event()
          && (a.write() || mine.write())
          && !(a.strong() && mine.strong())
          && !(a.cell() != 0 && mine.poll() || a.poll() && mine.cell() != 0)
          && !before(s, who, a)
          && !found(s, who, a)) {
        if (!a.fetch() || !mine.write()) {
          return fails(Kind.RACE);
        }
        s.overwrote = true;
        at(s);
      }
    }
    s.accesses = mine;
    return true;
  }

  /** Records an access of a lane or a caller; false if it races with an earlier one. */
  boolean access(PlainState s, Who who, int place, int event, boolean write, boolean strong) {
    return access(
        s, who, place, new Access(event, place, write, strong, false, -1, -1, s.accesses));
  }

  /** Records a finding, which ends the execution; always false. */
  boolean fails(Kind kind) {
    (overwrote ? late : found).add(kind);
    return false;
  }

  /** A step is about to be taken there. */
  void at(PlainState s) {
    overwrote = s.overwrote;
  }

  /** The search has ended. */
  void end() {
    if (!found.contains(Kind.RACE)) {
      found.addAll(late);
    }
  }
}
