package dev.oriel.sim.oracle;

import dev.oriel.sim.machine.Finding.Kind;
import dev.oriel.sim.oracle.PlainState.Access;
import dev.oriel.sim.oracle.PlainState.Found;
import dev.oriel.sim.oracle.PlainState.Message;
import java.util.EnumSet;
import java.util.Set;

/**
 * Which accesses race: those that conflict, of which no set of events orders the later behind the
 * earlier. A source that is fetched before it is overwritten in every execution is none.
 */
@SuppressWarnings("OperatorPrecedence")
final class PlainRaces {
  /** What was found in any execution so far. */
  final Set<Kind> found = EnumSet.noneOf(Kind.class);

  private final PlainCode code;

  PlainRaces(PlainCode code) {
    this.code = code;
  }

  /** Whoever accesses: what it knows, its rank, and whether it is an interface. */
  record Who(long knows, int rank, boolean nic) {}

  static long bit(int event) {
    return 1L << 2 * event;
  }

  /** A new event. */
  int event(PlainState s) {
    if (s.events == 31) {
      throw new PlainSearch.TooLargeException();
    }
    return s.events++;
  }

  /** Whether that event is behind them; of an interface's write, whether they see it. */
  boolean knows(Who who, int event, int placed) {
    return (who.knows & bit(event) << (hidden(who, placed) ? 1 : 0)) != 0;
  }

  private boolean hidden(Who who, int placed) {
    return placed >= 0
        && switch (code.profile.visibility()) {
          case ALL -> false;
          case OWNER -> placed != who.rank;
          case NONE -> placed != who.rank || !who.nic;
        };
  }

  /**
   * Whether that is a strong write of a word of which, or of what replaced it, somebody knows: by
   * what ordered the two, or by a strong read that found it.
   */
  private boolean found(PlainState s, Who who, Access a) {
    if (!a.strong() || !a.write()) {
      return false;
    }
    Message[] messages = s.words[a.place()];
    boolean there = false;
    for (int i = 0; i < messages.length; i++) {
      Message m = messages[i];
      there |= m.event() == a.event();
      boolean nic = m.agent() >= code.lanes || m.agent() <= PlainStage.FILLS;
      int placed = nic ? code.owner(a.place()) : -1;
      boolean seen = !hidden(who, placed) && foundBefore(s, who, a.place(), i);
      if (there && (seen || knows(who, m.event(), placed))) {
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

  /** Whether somebody comes behind an access, or behind a store at once that does. */
  private boolean before(PlainState s, Who who, Access access) {
    boolean before = knows(who, access.event(), access.placed());
    for (Access a = s.accesses; a != null && !before; a = a.next()) {
      before =
          a.place() == access.place()
              && (a.cell() & bit(access.event())) != 0
              && knows(who, a.event(), a.placed());
    }
    return before;
  }

  /** The accesses of that place which somebody comes behind. */
  long behind(PlainState s, Who who, int place) {
    long behind = 0;
    for (Access a = s.accesses; a != null; a = a.next()) {
      behind |= a.place() == place && before(s, who, a) ? bit(a.event()) : 0;
    }
    return behind;
  }

  /** Notes an access; false if it races with an earlier one. */
  boolean access(PlainState s, Who who, int place, Access mine) {
    for (Access a = s.accesses; a != null; a = a.next()) {
      if (a.place() == place
          && a.event() != mine.event()
          && (a.write() || mine.write())
          && !(a.strong() && mine.strong())
          && !(a.cell() != 0 && mine.poll() || a.poll() && mine.cell() != 0)
          && !(a.fetch() && mine.write())
          && !before(s, who, a)
          && !found(s, who, a)) {
        return fails(Kind.RACE);
      }
    }
    s.accesses = mine;
    return true;
  }

  /** Notes an access of a lane or a caller; false if it races with an earlier one. */
  boolean access(PlainState s, Who who, int place, int event, boolean write, boolean strong) {
    return access(s, who, place, new Access(event, place, write, strong, false, -1, s.accesses));
  }

  /** Whether the execution goes on: it does not. */
  boolean fails(Kind kind) {
    found.add(kind);
    return false;
  }
}
