package dev.oriel.sim.oracle;

import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Scope;
import dev.oriel.sim.oracle.PlainRaces.Who;
import dev.oriel.sim.oracle.PlainState.Access;
import dev.oriel.sim.oracle.PlainState.Message;
import dev.oriel.sim.oracle.PlainState.Queue;
import dev.oriel.sim.oracle.PlainState.Strict;
import dev.oriel.sim.oracle.PlainState.Update;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The effect of the next step of a lane, and the number of ways to take it. */
@SuppressWarnings({"NonCanonicalType", "OperatorPrecedence", "UnusedVariable"})
final class PlainLanes {
  private final PlainCode code;
  private final PlainRaces races;
  private final PlainWords words;
  private final PlainUpdates updates;
  private final PlainQueues queues;
  private final PlainSettling settling;
  private final PlainCallers callers;

  PlainLanes(
      PlainCode code,
      PlainRaces races,
      PlainWords words,
      PlainUpdates updates,
      PlainQueues queues,
      PlainSettling settling) {
    this.code = code;
    this.races = races;
    this.words = words;
    this.updates = updates;
    this.queues = queues;
    this.settling = settling;
    callers = new PlainCallers(code, races, settling);
  }

  /** The number of ways in which the lane may take its next step. */
  int ways(PlainState s, int lane) {
    if (code.waits(s, lane)) {
      return code.begins(s, lane) ? 1 : 0;
    }
    if (s.pc[lane] == PlainCode.THROUGH || (s.pc[lane] >= 0 && updates.afterUpdates(s, lane))) {
      return 0;
    }
    return s.pc[lane] == PlainCode.BEFORE
        ? 1
        : switch (code.step(s, lane)) {
          case MicroOperation.PollSlot p -> {
            int ways = 1;
            for (int word : code.slots(s, lane, p.slot())) {
              ways *= words.ways(s, lane, word, p.comparison(), p.value());
            }
            yield ways;
          }
          case MicroOperation.PollWord p ->
              words.ways(s, lane, code.place(s, lane, p.word()), p.comparison(), p.value());
          case MicroOperation.ReadSlot r ->
              words.readable(s, lane, code.slots(s, lane, r.slot())[0]).size();
          case MicroOperation.Rmw m when m.change() == Atomic.FETCH ->
              words.readable(s, lane, code.place(s, lane, m.word())).size();
          case MicroOperation.Rmw m when !PlainUpdates.late(m) ->
              words.predecessors(s, lane, code.place(s, lane, m.word())).size();
          case MicroOperation.Lock(var word, var scope) ->
              PlainWords.last(s, code.place(s, lane, word)).value() == 0 ? 1 : 0;
          case MicroOperation.AwaitQueue a -> {
            Queue q = s.queues[code.queue(s, lane, a.peer(), a.queue())];
            yield Arrays.stream(q.requests()).allMatch(queues::completed) ? 1 : 0;
          }
          default -> 1;
        };
  }

  /** Takes a step of a lane; false if the execution ends with it. */
  boolean step(PlainState s, int lane, int way) {
    int rank = code.rank[lane];
    if (code.waits(s, lane)) {
      code.begin(s, lane);
      return true;
    }
    if (s.pc[lane] == PlainCode.BEFORE) {
      return callers.step(s, lane, false);
    }
    Who leader = new Who(s.leader[lane], rank);
    boolean goesOn =
        switch (code.step(s, lane)) {
          case MicroOperation.Copy c -> {
            int from = code.place(s, lane, c.sources().getFirst().region());
            int to = code.place(s, lane, c.destinations().getFirst());
            yield code.value(s, lane, c.bytes()) == 16
                ? cell(s, lane, from, to)
                : weak(s, lane, from, to, s.memory[from]);
          }
          case MicroOperation.BulkCopy c ->
              bulk(s, lane, code.place(s, lane, c.from()), code.place(s, lane, c.to()));
          case MicroOperation.LoadWord l -> {
            int from = code.place(s, lane, l.word());
            code.set(s, lane, l.register(), s.memory[from]);
            yield weak(s, lane, from, -1, 0);
          }
          case MicroOperation.StoreWord w -> {
            int to = code.place(s, lane, w.word());
            int event = races.event(s);
            boolean clean = races.access(s, leader, to, event, true, false);
            s.memory[to] = code.value(s, lane, w.value());
            PlainSettling.did(code, s, lane, event);
            words.append(
                s, to, new Message(s.memory[to], event, lane, PlainCode.SYS, PlainCode.nothing()));
            yield clean;
          }
          case MicroOperation.WriteSlot w -> {
            boolean release = w.order() == Order.RELEASE;
            boolean set = w.change() == Change.SET;
            Atomic change = set ? Atomic.SET : Atomic.ADD;
            int event = races.event(s);
            PlainSettling.did(code, s, lane, event);
            long value = code.value(s, lane, w.value());
            boolean clean = true;
            for (int word : code.slots(s, lane, w.slot())) {
              clean =
                  clean
                      && words.change(
                          s,
                          lane,
                          word,
                          s.words[word].length - 1,
                          event,
                          change,
                          value,
                          0,
                          release,
                          w.scope(),
                          set,
                          !set);
            }
            yield clean;
          }
          case MicroOperation.PollSlot p -> {
            int left = way;
            boolean clean = true;
            for (int word : code.slots(s, lane, p.slot())) {
              List<Integer> may = words.satisfying(s, lane, word, p.comparison(), p.value());
              int index = may.get(left % may.size());
              left /= may.size();
              clean = clean && words.take(s, lane, word, index, p.order(), p.scope());
            }
            yield clean;
          }
          case MicroOperation.PollWord p -> {
            int word = code.place(s, lane, p.word());
            int event = races.event(s);
            if (!races.access(s, leader, word, event, false, true)) {
              yield false;
            }
            List<Integer> may = words.satisfying(s, lane, word, p.comparison(), p.value());
            PlainSettling.did(code, s, lane, event);
            yield words.take(s, lane, word, may.get(way), p.order(), p.scope());
          }
          case MicroOperation.ReadSlot r -> {
            int word = code.slots(s, lane, r.slot())[0];
            int index = words.readable(s, lane, word).get(way);
            code.set(s, lane, r.register(), s.words[word][index].value());
            yield words.take(s, lane, word, index, r.order(), r.scope());
          }
          case MicroOperation.Rmw m when m.change() == Atomic.FETCH -> {
            int word = code.place(s, lane, m.word());
            int event = races.event(s);
            int index = words.readable(s, lane, word).get(way);
            boolean clean = races.access(s, leader, word, event, false, true);
            PlainSettling.did(code, s, lane, event);
            code.set(s, lane, m.register(), s.words[word][index].value());
            yield clean && words.take(s, lane, word, index, m.order(), m.scope());
          }
          case MicroOperation.Rmw m when PlainUpdates.late(m) -> {
            int word = code.place(s, lane, m.word());
            long value = code.value(s, lane, m.operand());
            int event = races.event(s);
            boolean clean = races.access(s, leader, word, event, true, true);
            PlainSettling.did(code, s, lane, event);
            List<Update> updates = new ArrayList<>(s.updates.get(lane));
            updates.add(
                new Update(word, m.change(), value, code.value(s, lane, m.compare()), event));
            s.updates.set(lane, List.copyOf(updates));
            yield clean;
          }
          case MicroOperation.Fence(Scope scope, boolean strict, boolean alone) -> {
            for (Strict f = s.strict; strict && f != null; f = f.before()) {
              Scope needed = code.apart(f.lane(), lane);
              boolean meet = scope.compareTo(needed) >= 0 && f.scope().compareTo(needed) >= 0;
              s.leader[lane] |= meet ? f.set() : 0;
            }
            PlainSettling.fence(code, s, lane, scope, alone);
            long others = alone ? 0 : s.worker[lane] | s.unordered[lane];
            long set = s.leader[lane] | others;
            s.strict = strict ? new Strict(lane, scope, set, s.strict) : s.strict;
            yield true;
          }
          case MicroOperation.Rmw m -> {
            int word = code.place(s, lane, m.word());
            long value = code.value(s, lane, m.operand());
            long compare = code.value(s, lane, m.compare());
            int after = words.predecessors(s, lane, word).get(way);
            long old = s.words[word][after].value();
            boolean release = m.order() == Order.RELEASE;
            boolean reads = m.change() != Atomic.SET || !m.register().isEmpty();
            yield rmw(
                    s,
                    lane,
                    word,
                    after,
                    m.change(),
                    value,
                    compare,
                    m.order(),
                    release,
                    m.scope(),
                    reads)
                && code.set(s, lane, m.register(), old);
          }
          case MicroOperation.Lock(var at, var scope) ->
              rmw(
                      s,
                      lane,
                      code.place(s, lane, at),
                      s.words[code.place(s, lane, at)].length - 1,
                      Atomic.SET,
                      1,
                      0,
                      Order.ACQUIRE,
                      false,
                      scope,
                      true)
                  && PlainWords.locked(s, code.place(s, lane, at));
          case MicroOperation.Post p -> queues.post(s, lane, p);
          case MicroOperation.AwaitQueue a -> {
            int q = code.queue(s, lane, a.peer(), a.queue());
            Queue old = s.queues[q];
            long placed = code.profile.fused() ? old.place() | old.unordered() : 0;
            long all = old.fetch() | old.fill() | old.filled() | placed;
            s.leader[lane] |= all;
            s.worker[lane] |= all;
            s.queues[q] =
                new Queue(
                    old.requests(),
                    old.fetch(),
                    old.place(),
                    old.read(),
                    old.fill() | old.filled(),
                    0,
                    old.unordered(),
                    old.arranged(),
                    old.inOrder());
            yield true;
          }
          case MicroOperation.End() -> {
            yield callers.step(s, lane, true);
          }
          default -> throw new AssertionError(code.step(s, lane));
        };
    if (goesOn && s.pc[lane] != PlainCode.THROUGH) {
      s.pc[lane]++;
      settling.settle(s, lane);
    }
    return goesOn;
  }

  /** A weak access of any thread of the lane: a read, or a read and a write of the value read. */
  private boolean weak(PlainState s, int lane, int from, int to, long value) {
    int event = races.event(s);
    Who who = new Who(s.worker[lane], code.rank[lane]);
    boolean clean = races.access(s, who, from, event, false, false);
    if (to >= 0) {
      clean = clean && races.access(s, who, to, event, true, false);
      s.memory[to] = value;
      words.append(
          s,
          to,
          new Message(
              value,
              event,
              code.threads[lane] ? -2 - lane : lane,
              PlainCode.SYS,
              PlainCode.nothing()));
    }
    s.own[lane] |= PlainRaces.bit(event);
    if (code.threads[lane]) {
      s.unordered[lane] |= PlainRaces.bit(event);
    } else {
      PlainSettling.did(code, s, lane, event);
    }
    return clean;
  }

  /**
   * A copy of 16 bytes by any thread of the lane. A store of all of them at once is an event of its
   * own. Each of the words releases this event and nothing else.
   */
  private boolean cell(PlainState s, int lane, int from, int to) {
    boolean whole = code.profile.cells() && code.threads[lane] && from % 2 == 0 && to % 2 == 0;
    int read = races.event(s);
    int write = whole ? races.event(s) : read;
    Who who = new Who(s.worker[lane], code.rank[lane]);
    boolean clean = true;
    for (int i = 0; i < 2; i++) {
      clean = clean && races.access(s, who, from + i, read, false, false);
    }
    long[] sets = PlainCode.nothing();
    Arrays.fill(sets, whole ? PlainRaces.bit(write) : 0);
    long[] value = {s.memory[from], s.memory[from + 1]};
    int agent = code.threads[lane] ? -2 - lane : lane;
    for (int i = 0; i < 2; i++) {
      long cell = whole ? PlainRaces.bit(write) | races.after(s, who, to + i) : 0;
      Access mine = new Access(write, to + i, true, false, false, -1, -1, cell, s.accesses);
      clean = clean && races.access(s, who, to + i, mine);
      s.memory[to + i] = value[i];
      words.append(s, to + i, new Message(value[i], write, agent, PlainCode.SYS, sets));
    }
    for (int event : new int[] {read, write}) {
      s.own[lane] |= PlainRaces.bit(event);
      if (code.threads[lane]) {
        s.unordered[lane] |= PlainRaces.bit(event);
      } else {
        PlainSettling.did(code, s, lane, event);
      }
    }
    return clean;
  }

  /** A copy of 16 bytes by the lane's unit. */
  private boolean bulk(PlainState s, int lane, int from, int to) {
    int event = races.event(s);
    Who unit = new Who(s.unit[lane], code.rank[lane]);
    boolean clean = true;
    for (int i = 0; i < 2; i++) {
      clean = clean && races.access(s, unit, from + i, event, false, false);
    }
    for (int i = 0; i < 2; i++) {
      clean = clean && races.access(s, unit, to + i, event, true, false);
      s.memory[to + i] = s.memory[from + i];
      int agent = -100 - lane;
      long[] nothing = PlainCode.nothing();
      words.append(s, to + i, new Message(s.memory[to + i], event, agent, PlainCode.SYS, nothing));
    }
    s.copied[lane] |= PlainRaces.bit(event);
    return clean;
  }

  private boolean rmw(
      PlainState s,
      int lane,
      int word,
      int after,
      Atomic change,
      long value,
      long compare,
      Order order,
      boolean release,
      Scope scope,
      boolean reads) {
    Who who = new Who(s.leader[lane], code.rank[lane]);
    int event = races.event(s);
    if (!races.access(s, who, word, event, true, true)) {
      return false;
    }
    PlainSettling.did(code, s, lane, event);
    boolean clean =
        words.meetsLater(s, lane, word, after, scope)
            && (reads
                ? words.take(s, lane, word, after, order, scope)
                : words.over(s, lane, word, after, scope));
    return clean
        && words.change(
            s, lane, word, after, event, change, value, compare, release, scope, false, reads);
  }
}
