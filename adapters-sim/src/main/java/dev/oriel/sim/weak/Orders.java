package dev.oriel.sim.weak;

import java.util.Arrays;

/**
 * What every agent knows to have happened before it, and the check of every access against it.
 *
 * <p>{@code known[agent]} is happens-before: what a weak access of the agent may rely on. {@code
 * seen[agent]} is causality through awaits, acquiring or not: a store behind an await cannot become
 * visible before what the await observed, so it is enough to order an overwrite behind a read that
 * was itself an await, or that an interface made.
 */
final class Orders {
  private final Model model;
  private final Memory memory;

  final int[][] known;

  /** For each lane, what its last fence ordered. */
  final int[][] fenced;

  /** For each lane, what it observed without acquiring; a fence acquires it. */
  final int[][] pending;

  /** By leader and worker of each lane, and behind them by queue: see {@link Model#causal}. */
  final int[][] seen;

  /** What single threads among the workers observed, which the others know after a barrier. */
  private final int[][] fresh;

  /** For each agent, up to which tick its own accesses are ordered among themselves. */
  private final int[] settled;

  Orders(Model model, Memory memory) {
    this.model = model;
    this.memory = memory;
    int lanes = model.lanes.size();
    known = new int[model.agents][model.agents];
    for (int a = 0; a < model.agents; a++) {
      known[a][a] = 1;
    }
    fenced = new int[lanes][model.agents];
    pending = new int[lanes][model.agents];
    int causal = 2 * lanes + model.queues;
    seen = new int[causal][causal];
    fresh = new int[2 * lanes][causal];
    settled = new int[model.agents];
    Arrays.fill(settled, Integer.MAX_VALUE);
  }

  void barrier(int leader, int worker) {
    if (leader != worker) {
      order(worker, leader);
      order(leader, worker);
      settled[worker] = known[worker][worker] - 1;
      meet(leader, worker);
    }
  }

  /** What any thread of the lane observed, every thread stands behind from here on. */
  private void meet(int leader, int worker) {
    Clock.join(seen[leader], seen[worker]);
    Clock.join(seen[leader], fresh[worker]);
    Clock.join(seen[worker], seen[leader]);
  }

  /**
   * An await of the agent took a message.
   *
   * @return the number of the await among the agent's
   */
  int taken(int agent, Message m) {
    // One thread took it: threads beside it do not stand behind it before a barrier.
    int[] causal = agent % 2 == 1 ? fresh[agent] : seen[agent];
    causal[agent]++;
    if (m.agent() >= 0) {
      Clock.join(causal, m.causal());
    }
    return causal[agent];
  }

  /** The lane's launch begins: its caller's work and its own earlier launches are behind it. */
  void begin(LaneRun run, int caller) {
    order(caller, run.leader, run.worker);
    if (run.worker != run.leader) {
      settled[run.worker] = known[run.worker][run.worker] - 1;
      meet(run.leader, run.worker);
    }
  }

  /**
   * A new move of the lane's threads begins. Until the next barrier nothing orders it against their
   * other moves, so each move has a tick of its own.
   */
  void move(LaneRun run) {
    if (run.worker != run.leader) {
      known[run.worker][run.worker]++;
    }
  }

  /**
   * Orders all that an agent did so far before what others do from now on. Its own component goes
   * on at once, so that nobody is taken to know what it does later.
   */
  void order(int from, int... into) {
    for (int agent : into) {
      Clock.join(known[agent], known[from]);
    }
    known[from][from]++;
  }

  /** A fence of every thread of the lane. */
  void fence(LaneRun run) {
    Clock.join(known[run.leader], pending[run.lane]);
    Clock.join(fenced[run.lane], known[run.leader]);
    known[run.leader][run.leader]++;
    if (run.worker != run.leader) {
      Clock.join(fenced[run.lane], known[run.worker]);
      known[run.worker][run.worker]++;
    }
  }

  /** Checks one access against everything that is not ordered before it. */
  void access(int agent, int owner, int buffer, long offset, long length, boolean write, int site) {
    if (length == 0) {
      return;
    }
    int from = memory.checked(owner, buffer, offset, length);
    int[] clock = write ? withFetches(agent) : known[agent];
    int tick = known[agent][agent];
    Shadow shadow = memory.shadows[owner][buffer];
    Shadow.Conflict conflict =
        write
            ? shadow.write(from, (int) length, agent, tick, clock, settled[agent], site)
            : shadow.read(from, (int) length, agent, tick, clock, settled[agent], site);
    if (conflict.found()) {
      throw FindingException.of(
          Finding.RACE,
          "race: buffer=%s, owner=%d, byte=%d; %s %s and %s %s are not ordered; put a release and an acquire, or a completion wait, between them"
              .formatted(
                  model.form.buffers().get(buffer).name(),
                  owner,
                  Math.max(from, conflict.from()),
                  model.describe(conflict.agent(), conflict.site()),
                  conflict.write() ? "(write)" : "(read)",
                  model.describe(agent, site),
                  write ? "(write)" : "(read)"));
    }
  }

  /** What a lane's write may rely on: also fetches that it saw the outcome of. */
  private int[] withFetches(int agent) {
    if (model.queues == 0 || agent >= 2 * model.lanes.size()) {
      return known[agent];
    }
    int[] clock = known[agent].clone();
    int[] causal = seen[agent];
    for (int q = 0; q < model.queues; q++) {
      int fetch = model.stage(q, Model.FETCH);
      clock[fetch] = Math.max(clock[fetch], causal[model.causal(q)]);
    }
    return clock;
  }
}
