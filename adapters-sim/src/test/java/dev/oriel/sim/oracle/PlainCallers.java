package dev.oriel.sim.oracle;

import dev.oriel.domain.program.Space;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.oracle.PlainRaces.Who;
import java.util.List;

/**
 * Callers, for lanes that have one: a caller fills memory before its lane and judges it afterwards.
 */
@SuppressWarnings("OperatorPrecedence")
final class PlainCallers {
  static final long POISON = -1;

  private final PlainCode code;
  private final PlainRaces races;
  private final PlainSettling settling;

  PlainCallers(PlainCode code, PlainRaces races, PlainSettling settling) {
    this.code = code;
    this.races = races;
    this.settling = settling;
  }

  /** The caller fills memory before the lane, and judges and fills it again afterwards. */
  boolean step(PlainState s, int lane, boolean after) {
    int event = code.callers ? races.event(s) : 0;
    long set = after ? s.leader[lane] | s.worker[lane] | s.unordered[lane] : 0;
    Who who = new Who(set, code.rank[lane]);
    boolean clean = true;
    for (int place = 0; code.callers && place < s.memory.length; place++) {
      Space space = code.space(place);
      if (code.owner(place) != code.rank[lane] || !space.callers()) {
        continue;
      }
      clean = clean && (!after || races.access(s, who, place, event, !space.taken(), false));
    }
    for (int place : after ? code.conditions(code.rank[lane]) : List.<Integer>of()) {
      clean = clean && races.access(s, who, place, event, false, false);
    }
    if (!clean) {
      return false;
    }
    if (after && !code.holds(s, code.rank[lane])) {
      return races.fails(Kind.VALUE);
    }
    for (int place = 0; code.callers && place < s.memory.length; place++) {
      Space space = code.space(place);
      if (code.owner(place) == code.rank[lane] && space.callers()) {
        clean = clean && races.access(s, who, place, event, true, false);
        s.memory[place] = space.filled() ? code.input(place) : POISON;
      }
    }
    s.pc[lane] = after ? PlainCode.THROUGH : 0;
    if (!after) {
      s.leader[lane] = s.worker[lane] = s.unit[lane] = PlainRaces.bit(event);
      settling.settle(s, lane);
    }
    return clean;
  }
}
