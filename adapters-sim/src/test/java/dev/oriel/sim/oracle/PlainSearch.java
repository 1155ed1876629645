package dev.oriel.sim.oracle;

import dev.oriel.sim.machine.finding.Finding.Kind;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Every execution of a tiny program of one launch, by plain recursion: no hashing, no clocks, no
 * reduction. Happens-before is a set of events. {@link PlainLanes}, {@link PlainQueues} and {@link
 * PlainUpdates} define the steps.
 */
final class PlainSearch {
  /** The search takes more steps than allowed: the program is too large. */
  static final class TooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  final Set<Kind> found;
  final Set<String> outcomes = new TreeSet<>();
  long steps;
  long executions;
  private final PlainCode code;
  private final PlainRaces races;
  private final PlainLanes lanes;
  private final PlainQueues queues;
  private final PlainUpdates updates;
  private final long maxSteps;

  /** A rank that stops after that many steps of its lanes; -1 for none. */
  private final int crashed;

  private final int lives;

  /**
   * Runs the whole search.
   *
   * @param oldest whether an await skips a message that brings no less order than an older one
   */
  PlainSearch(PlainCode code, boolean oldest, long maxSteps) {
    this(code, oldest, maxSteps, -1, 0);
  }

  /** The same where a rank crashes after that many steps of its lanes. */
  PlainSearch(PlainCode code, boolean oldest, long maxSteps, int crashed, int lives) {
    this.code = code;
    this.maxSteps = maxSteps;
    this.crashed = crashed;
    this.lives = lives;
    races = new PlainRaces(code);
    PlainWords words = new PlainWords(code, races, oldest);
    PlainSettling settling = new PlainSettling(code);
    found = races.found;
    queues = new PlainQueues(code, races, words);
    updates = new PlainUpdates(code, words);
    lanes = new PlainLanes(code, races, words, updates, queues, settling);
    PlainState first = code.first();
    for (int l = 0; l < code.lanes; l++) {
      if (first.pc[l] == 0) {
        settling.settle(first, l);
      }
    }
    search(first, 0);
    races.end();
  }

  private void search(PlainState s, int taken) {
    boolean any = false;
    for (int agent = 0; agent < 2 * code.lanes + PlainQueues.STAGES * code.queues; agent++) {
      int ways = agent < code.lanes && gone(agent, taken) ? 0 : ways(s, agent);
      for (int way = 0; way < ways; way++) {
        if (++steps > maxSteps) {
          throw new TooLargeException();
        }
        any = true;
        PlainState next = s.copy();
        races.at(next);
        boolean counts = agent < code.lanes && code.rank[agent] == crashed;
        if (step(next, agent, way)) {
          search(next, counts ? taken + 1 : taken);
        } else {
          executions++;
        }
      }
    }
    if (!any) {
      executions++;
      if (IntStream.range(0, code.lanes)
          .allMatch(l -> s.pc[l] == PlainCode.THROUGH || gone(l, taken))) {
        outcomes.add(code.outcome(s));
      } else {
        races.at(s);
        races.fails(Kind.DEADLOCK);
      }
    }
  }

  private boolean gone(int lane, int taken) {
    return code.rank[lane] == crashed && taken >= lives;
  }

  // Agents: lanes, the stages of each queue, the updates of each lane.

  /** The number of ways in which the agent may take its next step. */
  private int ways(PlainState s, int agent) {
    int stage = agent - code.lanes;
    int update = stage - PlainQueues.STAGES * code.queues;
    return stage < 0
        ? lanes.ways(s, agent)
        : update >= 0
            ? updates.ways(s, update)
            : queues.ways(s, stage / PlainQueues.STAGES, stage % PlainQueues.STAGES);
  }

  /** Takes the agent's next step in that way; false if the execution ends with it. */
  private boolean step(PlainState s, int agent, int way) {
    int stage = agent - code.lanes;
    int update = stage - PlainQueues.STAGES * code.queues;
    return stage < 0
        ? lanes.step(s, agent, way)
        : update >= 0
            ? updates.update(s, update, way)
            : queues.step(s, stage / PlainQueues.STAGES, stage % PlainQueues.STAGES, way);
  }
}
