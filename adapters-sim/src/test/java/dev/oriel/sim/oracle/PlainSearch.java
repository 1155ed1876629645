package dev.oriel.sim.oracle;

import dev.oriel.domain.lowering.Micro;
import dev.oriel.domain.lowering.Micro.Request.OneSided;
import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.program.Space;
import dev.oriel.sim.machine.Finding.Kind;
import dev.oriel.sim.oracle.PlainState.Access;
import dev.oriel.sim.oracle.PlainState.Message;
import dev.oriel.sim.oracle.PlainState.Queue;
import dev.oriel.sim.oracle.PlainState.Request;
import dev.oriel.sim.oracle.PlainState.Strict;
import dev.oriel.sim.oracle.PlainState.Update;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Every execution of a tiny program of one launch, by plain recursion: no hashing, no clocks, no
 * reduction. Who comes before whom is a set of events; an await tries every message that it may
 * find. An access that no such set orders behind an earlier one that conflicts is a race; a source
 * that is fetched before it is overwritten in every execution is none. An await that stands before
 * a satisfying message and a later one that does not satisfy may miss it.
 */
@SuppressWarnings({
  "EnumOrdinal",
  "NonCanonicalType",
  "OperatorPrecedence",
  "ReferenceEquality",
  "UnusedVariable"
})
final class PlainSearch {
  /** More than that many steps: the program is too large to be searched in this way. */
  static final class TooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private static final int STAGES = 4;
  private static final long POISON = -1;

  final Set<Kind> found = EnumSet.noneOf(Kind.class);
  final Set<String> outcomes = new TreeSet<>();
  long steps;
  long executions;
  private final PlainCode code;
  private final long maxSteps;

  /**
   * Whether an await takes the oldest message that satisfies it, as the machine does where every
   * later one orders as much.
   */
  private final boolean oldest;

  PlainSearch(PlainCode code, boolean oldest, long maxSteps) {
    this.oldest = oldest;
    this.code = code;
    this.maxSteps = maxSteps;
    PlainState first = code.first();
    for (int l = 0; l < code.lanes; l++) {
      if (first.pc[l] == 0) {
        settle(first, l);
      }
    }
    search(first);
  }

  private void search(PlainState s) {
    boolean any = false;
    for (int agent = 0; agent < 2 * code.lanes + STAGES * code.queues; agent++) {
      int ways = ways(s, agent);
      for (int way = 0; way < ways; way++) {
        if (++steps > maxSteps) {
          throw new TooLargeException();
        }
        any = true;
        PlainState next = s.copy();
        int update = agent - code.lanes - STAGES * code.queues;
        boolean goesOn =
            update >= 0
                ? update(next, update, way)
                : agent < code.lanes
                    ? lane(next, agent, way)
                    : stage(next, agent - code.lanes, way);
        if (goesOn) {
          search(next);
        }
      }
    }
    if (!any) {
      executions++;
      if (Arrays.stream(s.pc).allMatch(pc -> pc == PlainCode.THROUGH)) {
        outcomes.add(code.outcome(s));
      } else {
        found.add(Kind.DEADLOCK);
      }
    }
  }

  private int ways(PlainState s, int agent) {
    if (agent >= code.lanes + STAGES * code.queues) {
      return (int)
          s.updates.get(agent - code.lanes - STAGES * code.queues).stream()
              .mapToInt(Update::word)
              .distinct()
              .count();
    }
    if (agent >= code.lanes) {
      return stageWays(s, (agent - code.lanes) / STAGES, (agent - code.lanes) % STAGES);
    }
    if (s.pc[agent] == PlainCode.THROUGH || (s.pc[agent] >= 0 && behindUpdates(s, agent))) {
      return 0;
    }
    return s.pc[agent] == PlainCode.BEFORE
        ? 1
        : switch (code.step(s, agent)) {
          case Micro.PollSlot p -> {
            int ways = 1;
            for (int word : code.slots(s, agent, p.slot())) {
              ways *= satisfying(s, agent, word, p.comparison(), p.value()).size();
            }
            yield ways;
          }
          case Micro.PollWord p ->
              satisfying(s, agent, code.place(s, agent, p.word()), p.comparison(), p.value())
                  .size();
          case Micro.ReadSlot r -> readable(s, agent, code.slots(s, agent, r.slot())[0]).size();
          case Micro.Rmw m when m.change() == Atomic.FETCH ->
              readable(s, agent, code.place(s, agent, m.word())).size();
          case Micro.Lock(var word, var scope) ->
              last(s, code.place(s, agent, word)).value() == 0 ? 1 : 0;
          case Micro.AwaitQueue a -> {
            Queue q = s.queues[code.queue(s, agent, a.peer(), a.queue())];
            yield Arrays.stream(q.requests()).allMatch(PlainSearch::completed) ? 1 : 0;
          }
          default -> 1;
        };
  }

  /** An update whose order and old value nobody asks for: it happens when it likes. */
  private static boolean late(Micro.Rmw m) {
    return m.register().isEmpty() && m.order() == Order.RELAXED;
  }

  /** What releases or fences waits for every update before it, what uses a word for its own. */
  private boolean behindUpdates(PlainState s, int lane) {
    List<Update> updates = s.updates.get(lane);
    return !updates.isEmpty()
        && switch (code.step(s, lane)) {
          case Micro.Fence f -> true;
          case Micro.End e -> true;
          case Micro.WriteSlot w -> w.order() == Order.RELEASE;
          case Micro.Rmw m ->
              !late(m) && (m.order() == Order.RELEASE || changes(updates, s, lane, m.word()));
          case Micro.PollWord p -> changes(updates, s, lane, p.word());
          case Micro.Lock(var word, var scope) -> changes(updates, s, lane, word);
          case Micro.LoadWord l -> changes(updates, s, lane, l.word());
          case Micro.StoreWord w -> changes(updates, s, lane, w.word());
          case Micro.Copy c ->
              changes(updates, s, lane, c.sources().getFirst().region())
                  || changes(updates, s, lane, c.destinations().getFirst());
          case Micro.BulkCopy c ->
              updates.stream()
                  .anyMatch(u ->
                      u.word() / 2 == code.place(s, lane, c.to()) / 2
                          || u.word() / 2 == code.place(s, lane, c.from()) / 2);
          default -> false;
        };
  }

  private boolean changes(
      List<Update> updates, PlainState s, int lane, dev.oriel.domain.program.Region word) {
    return updates.stream().anyMatch(u -> u.word() == code.place(s, lane, word));
  }

  /** One of the lane's updates happens, the oldest of the word of that number. */
  private boolean update(PlainState s, int lane, int way) {
    List<Update> all = s.updates.get(lane);
    int word = all.stream().mapToInt(Update::word).distinct().skip(way).findFirst().orElseThrow();
    Update u = all.stream().filter(v -> v.word() == word).findFirst().orElseThrow();
    s.updates.set(lane, all.stream().filter(v -> v != u).toList());
    return take(s, lane, word, s.words[word].length - 1, Order.RELAXED, Scope.SYS)
        && change(
            s, lane, word, u.event(), u.change(), u.value(), u.compare(), false, Scope.SYS, false);
  }

  private List<Integer> readable(PlainState s, int lane, int word) {
    List<Integer> found = new ArrayList<>();
    for (int i = s.words[word].length - 1; i >= 0; i--) {
      found.addFirst(i);
      int event = s.words[word][i].event();
      if (i <= s.views[lane * code.words + word]
          || event < 0
          || (s.leader[lane] & bit(event)) != 0) {
        break;
      }
    }
    return found;
  }

  private List<Integer> satisfying(
      PlainState s,
      int lane,
      int word,
      dev.oriel.domain.window.Comparison comparison,
      dev.oriel.domain.program.Expr value) {
    long wanted = code.value(s, lane, value);
    List<Integer> found = readable(s, lane, word);
    found.removeIf(i -> !comparison.test(s.words[word][i].value(), wanted));
    if (!found.isEmpty()) {
      for (int i = found.getFirst(); i < s.words[word].length; i++) {
        if (!comparison.test(s.words[word][i].value(), wanted)) {
          this.found.add(Kind.OVERWRITE);
        }
      }
    }
    return oldest && !found.isEmpty() && !code.uneven(word) ? found.subList(0, 1) : found;
  }

  private static long bit(int event) {
    return 1L << 2 * event;
  }

  private static Message last(PlainState s, int word) {
    return s.words[word][s.words[word].length - 1];
  }

  private boolean fails(Kind kind) {
    found.add(kind);
    executions++;
    return false;
  }

  /** Whoever accesses: what it knows, its rank, and whether it is an interface. */
  private record Who(long knows, int rank, boolean nic) {}

  private int event(PlainState s) {
    if (s.events == 31) {
      throw new TooLargeException();
    }
    return s.events++;
  }

  private boolean knows(Who who, int event, int placed) {
    boolean hidden =
        placed >= 0
            && switch (code.profile.visibility()) {
              case ALL -> false;
              case OWNER -> placed != who.rank;
              case NONE -> placed != who.rank || !who.nic;
            };
    return (who.knows & bit(event) << (hidden ? 1 : 0)) != 0;
  }

  /** Notes an access; false if it races with an earlier one. */
  private boolean access(PlainState s, Who who, int place, Access mine) {
    for (Access a = s.accesses; a != null; a = a.next()) {
      if (a.place() == place
          && a.event() != mine.event()
          && (a.write() || mine.write())
          && !(a.strong() && mine.strong())
          && !(a.fetch() && mine.write())
          && !knows(who, a.event(), a.placed())) {
        return fails(Kind.RACE);
      }
    }
    s.accesses = mine;
    return true;
  }

  private boolean access(
      PlainState s, Who who, int place, int event, boolean write, boolean strong) {
    return access(s, who, place, new Access(event, place, write, strong, false, -1, s.accesses));
  }

  /** Takes a step of a lane; false if the execution ends with it. */
  private boolean lane(PlainState s, int lane, int way) {
    int rank = code.rank[lane];
    if (s.pc[lane] == PlainCode.BEFORE) {
      return caller(s, lane, false);
    }
    Who leader = new Who(s.leader[lane], rank, false);
    boolean goesOn =
        switch (code.step(s, lane)) {
          case Micro.Copy c -> {
            int from = code.place(s, lane, c.sources().getFirst().region());
            int to = code.place(s, lane, c.destinations().getFirst());
            yield weak(s, lane, from, to, s.memory[from]);
          }
          case Micro.BulkCopy c ->
              bulk(s, lane, code.place(s, lane, c.from()), code.place(s, lane, c.to()));
          case Micro.LoadWord l -> {
            int from = code.place(s, lane, l.word());
            code.set(s, lane, l.register(), s.memory[from]);
            yield weak(s, lane, from, -1, 0);
          }
          case Micro.StoreWord w -> {
            int to = code.place(s, lane, w.word());
            int event = event(s);
            boolean clean = access(s, leader, to, event, true, false);
            s.memory[to] = code.value(s, lane, w.value());
            did(s, lane, event);
            append(
                s, to, new Message(s.memory[to], event, lane, PlainCode.SYS, PlainCode.nothing()));
            yield clean;
          }
          case Micro.WriteSlot w -> {
            boolean release = w.order() == Order.RELEASE;
            boolean set = w.change() == dev.oriel.domain.program.Op.Signal.Change.SET;
            Atomic change = set ? Atomic.SET : Atomic.ADD;
            int event = event(s);
            did(s, lane, event);
            long value = code.value(s, lane, w.value());
            boolean clean = true;
            for (int word : code.slots(s, lane, w.slot())) {
              clean =
                  clean && change(s, lane, word, event, change, value, 0, release, w.scope(), set);
            }
            yield clean;
          }
          case Micro.PollSlot p -> {
            int left = way;
            boolean clean = true;
            for (int word : code.slots(s, lane, p.slot())) {
              List<Integer> may = satisfying(s, lane, word, p.comparison(), p.value());
              int index = may.get(left % may.size());
              left /= may.size();
              clean = clean && take(s, lane, word, index, p.order(), p.scope());
            }
            yield clean;
          }
          case Micro.PollWord p -> {
            int word = code.place(s, lane, p.word());
            int event = event(s);
            boolean clean = access(s, leader, word, event, false, true);
            List<Integer> may = satisfying(s, lane, word, p.comparison(), p.value());
            did(s, lane, event);
            yield clean && take(s, lane, word, may.get(way), p.order(), p.scope());
          }
          case Micro.ReadSlot r -> {
            int word = code.slots(s, lane, r.slot())[0];
            int index = readable(s, lane, word).get(way);
            code.set(s, lane, r.register(), s.words[word][index].value());
            yield take(s, lane, word, index, r.order(), r.scope());
          }
          case Micro.Rmw m when m.change() == Atomic.FETCH -> {
            int word = code.place(s, lane, m.word());
            int event = event(s);
            int index = readable(s, lane, word).get(way);
            boolean clean = access(s, leader, word, event, false, true);
            did(s, lane, event);
            code.set(s, lane, m.register(), s.words[word][index].value());
            yield clean && take(s, lane, word, index, m.order(), m.scope());
          }
          case Micro.Rmw m when late(m) -> {
            int word = code.place(s, lane, m.word());
            long value = code.value(s, lane, m.operand());
            int event = event(s);
            boolean clean = access(s, leader, word, event, true, true);
            did(s, lane, event);
            List<Update> updates = new ArrayList<>(s.updates.get(lane));
            updates.add(
                new Update(word, m.change(), value, code.value(s, lane, m.compare()), event));
            s.updates.set(lane, List.copyOf(updates));
            yield clean;
          }
          case Micro.Fence(Scope scope, boolean strict) -> {
            for (Strict f = s.strict; strict && f != null; f = f.before()) {
              Scope needed = code.apart(f.lane(), lane);
              boolean meet = scope.compareTo(needed) >= 0 && f.scope().compareTo(needed) >= 0;
              s.leader[lane] |= meet ? f.set() : 0;
            }
            fence(s, lane, scope);
            long set = s.leader[lane] | s.worker[lane] | s.loose[lane];
            s.strict = strict ? new Strict(lane, scope, set, s.strict) : s.strict;
            yield true;
          }
          case Micro.Rmw m -> {
            int word = code.place(s, lane, m.word());
            long value = code.value(s, lane, m.operand());
            long compare = code.value(s, lane, m.compare());
            long old = last(s, word).value();
            boolean release = m.order() == Order.RELEASE;
            yield rmw(s, lane, word, m.change(), value, compare, m.order(), release, m.scope())
                && code.set(s, lane, m.register(), old);
          }
          case Micro.Lock(var at, var scope) ->
              rmw(s, lane, code.place(s, lane, at), Atomic.SET, 1, 0, Order.ACQUIRE, false, scope)
                  && locked(s, code.place(s, lane, at));
          case Micro.Post p -> post(s, lane, p);
          case Micro.AwaitQueue a -> {
            int q = code.queue(s, lane, a.peer(), a.queue());
            Queue old = s.queues[q];
            long all = old.fetch() | old.fill() | old.filled();
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
                    old.loose(),
                    old.arranged());
            yield true;
          }
          case Micro.End() -> {
            yield caller(s, lane, true);
          }
          default -> throw new AssertionError(code.step(s, lane));
        };
    if (goesOn && s.pc[lane] != PlainCode.THROUGH) {
      s.pc[lane]++;
      settle(s, lane);
    }
    return goesOn;
  }

  /** A weak access of any thread of the lane: a read, or a read and a write of what it found. */
  private boolean weak(PlainState s, int lane, int from, int to, long value) {
    int event = event(s);
    Who who = new Who(s.worker[lane], code.rank[lane], false);
    boolean clean = access(s, who, from, event, false, false);
    if (to >= 0) {
      clean = clean && access(s, who, to, event, true, false);
      s.memory[to] = value;
      append(
          s,
          to,
          new Message(
              value,
              event,
              code.threads[lane] ? -2 - lane : lane,
              PlainCode.SYS,
              PlainCode.nothing()));
    }
    s.own[lane] |= bit(event);
    if (code.threads[lane]) {
      s.loose[lane] |= bit(event);
    } else {
      did(s, lane, event);
    }
    return clean;
  }

  /** A copy of 16 bytes by the lane's unit. */
  private boolean bulk(PlainState s, int lane, int from, int to) {
    int event = event(s);
    Who unit = new Who(s.unit[lane], code.rank[lane], false);
    boolean clean = true;
    for (int i = 0; i < 2; i++) {
      clean = clean && access(s, unit, from + i, event, false, false);
    }
    for (int i = 0; i < 2; i++) {
      clean = clean && access(s, unit, to + i, event, true, false);
      s.memory[to + i] = s.memory[from + i];
      int agent = -100 - lane;
      long[] nothing = PlainCode.nothing();
      append(s, to + i, new Message(s.memory[to + i], event, agent, PlainCode.SYS, nothing));
    }
    s.copied[lane] |= bit(event);
    return clean;
  }

  /** An event of the lane's leader. */
  private void did(PlainState s, int lane, int event) {
    s.leader[lane] |= bit(event);
    s.own[lane] |= bit(event);
    if (!code.threads[lane]) {
      s.worker[lane] = s.leader[lane];
    }
  }

  private boolean rmw(
      PlainState s,
      int lane,
      int word,
      Atomic change,
      long value,
      long compare,
      Order order,
      boolean release,
      Scope scope) {
    Who who = new Who(s.leader[lane], code.rank[lane], false);
    int event = event(s);
    if (!access(s, who, word, event, true, true)) {
      return false;
    }
    int end = s.words[word].length - 1;
    did(s, lane, event);
    return take(s, lane, word, end, order, scope)
        && change(s, lane, word, event, change, value, compare, release, scope, false);
  }

  private boolean change(
      PlainState s,
      int lane,
      int word,
      int event,
      Atomic change,
      long value,
      long compare,
      boolean release,
      Scope scope,
      boolean alone) {
    Message old = last(s, word);
    if (!write(s, word, new Who(s.leader[lane], code.rank[lane], false), lane, old, alone)) {
      return false;
    }
    boolean chain = change != Atomic.SET || !alone || old.agent() == lane;
    long[] sets = new long[PlainCode.LEVELS];
    for (int v = 0; v < sets.length; v++) {
      boolean all = release && v < scope.ordinal();
      sets[v] =
          (all ? s.leader[lane] : s.fenced[PlainCode.LEVELS * lane + v])
              | (chain ? old.sets()[v] : 0);
    }
    Message next =
        new Message(change.apply(old.value(), value, compare), event, lane, scope.ordinal(), sets);
    if (!released(s, word, old, next)) {
      return fails(Kind.WRITERS);
    }
    append(s, word, next);
    changed(s, word, next.value());
    return true;
  }

  static boolean locked(PlainState s, int word) {
    s.locked.set(word);
    return true;
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

  private void changed(PlainState s, int word, long value) {
    if (word < s.memory.length) {
      s.memory[word] = value;
    }
  }

  /** Whether the word may be changed now: by its only writer, or where all changes are atomic. */
  private boolean write(PlainState s, int word, Who who, int agent, Message old, boolean alone) {
    if (old.event() < 0 || old.agent() == agent || (who.knows & bit(old.event())) != 0) {
      return true;
    }
    boolean apart = old.agent() >= code.lanes != who.nic;
    return alone ? fails(Kind.WRITERS) : !apart || fails(Kind.ATOMICITY);
  }

  private void append(PlainState s, int word, Message message) {
    Message[] old = s.words[word];
    s.words[word] = Arrays.copyOf(old, old.length + 1);
    s.words[word][old.length] = message;
  }

  private boolean take(PlainState s, int lane, int word, int index, Order order, Scope scope) {
    Message m = s.words[word][index];
    s.views[lane * code.words + word] = index;
    if (m.event() < 0) {
      return true;
    }
    boolean nic = m.agent() >= code.lanes;
    int writer = m.agent() < 0 ? -2 - m.agent() : m.agent();
    int needed = nic ? PlainCode.SYS : code.apart(writer, lane).ordinal();
    if (m.scope() < needed || scope.ordinal() < needed) {
      return fails(Kind.SCOPE);
    }
    int level = Math.max(0, needed - 1);
    long set = m.sets()[level];
    if (order.acquires()) {
      s.leader[lane] |= set;
      if (!code.threads[lane]) {
        s.worker[lane] = s.leader[lane];
      }
    } else {
      s.pending[PlainCode.LEVELS * lane + level] |= set;
    }
    return true;
  }

  /** Goes on to what others can notice. */
  private void settle(PlainState s, int lane) {
    while (true) {
      switch (code.step(s, lane)) {
        case Micro.Bar() -> {
          long all = s.leader[lane] | s.worker[lane] | s.loose[lane];
          s.leader[lane] = all;
          s.worker[lane] = all;
          s.loose[lane] = 0;
        }
        case Micro.Fence(Scope scope, boolean strict) -> {
          if (strict || !s.updates.get(lane).isEmpty()) {
            return;
          }
          fence(s, lane, scope);
        }
        case Micro.ProxyFence f -> s.unit[lane] |= s.leader[lane] | s.worker[lane] | s.loose[lane];
        case Micro.AwaitBulk w -> {
          s.leader[lane] |= s.copied[lane];
          s.worker[lane] |= s.copied[lane];
          s.unit[lane] |= s.copied[lane];
          s.copied[lane] = 0;
        }
        case Micro.Consist() -> {
          s.leader[lane] |= consistent(s, s.leader[lane], code.rank[lane]);
          s.worker[lane] |= consistent(s, s.worker[lane], code.rank[lane]);
        }
        case Micro m -> {
          if (!code.quiet(s, lane, m)) {
            return;
          }
          continue;
        }
      }
      s.pc[lane]++;
    }
  }

  private static void fence(PlainState s, int lane, Scope scope) {
    for (int v = 0; v < scope.ordinal(); v++) {
      s.leader[lane] |= s.pending[PlainCode.LEVELS * lane + v];
    }
    for (int v = 0; v < scope.ordinal(); v++) {
      s.fenced[PlainCode.LEVELS * lane + v] |= s.leader[lane] | s.worker[lane] | s.loose[lane];
    }
  }

  private static long consistent(PlainState s, long known, int rank) {
    long set = 0;
    for (Access a = s.accesses; a != null; a = a.next()) {
      set |= a.placed() == rank ? (known & bit(a.event())) << 1 : 0;
    }
    return set;
  }

  /** The caller fills memory before the lane, and judges and fills it again afterwards. */
  private boolean caller(PlainState s, int lane, boolean after) {
    int event = code.callers ? event(s) : 0;
    long set = after ? s.leader[lane] | s.worker[lane] | s.loose[lane] : 0;
    Who who = new Who(set, code.rank[lane], false);
    boolean clean = true;
    for (int place = 0; code.callers && place < s.memory.length; place++) {
      Space space = code.space(place);
      if (code.owner(place) != code.rank[lane] || (space != Space.INPUT && space != Space.OUTPUT)) {
        continue;
      }
      clean = clean && (!after || access(s, who, place, event, space == Space.INPUT, false));
    }
    if (!clean) {
      return false;
    }
    if (after && !code.holds(s, code.rank[lane])) {
      return fails(Kind.VALUE);
    }
    for (int place = 0; code.callers && place < s.memory.length; place++) {
      Space space = code.space(place);
      if (code.owner(place) == code.rank[lane] && (space == Space.INPUT || space == Space.OUTPUT)) {
        clean = clean && access(s, who, place, event, true, false);
        s.memory[place] = space == Space.INPUT ? code.input(place) : POISON;
      }
    }
    s.pc[lane] = after ? PlainCode.THROUGH : 0;
    if (!after) {
      s.leader[lane] = s.worker[lane] = s.unit[lane] = bit(event);
      settle(s, lane);
    }
    return clean;
  }

  private static boolean completed(Request r) {
    return switch (r.post().request()) {
      case OneSided.Arrange a -> true;
      case OneSided.Count c -> true;
      case Micro.Request.AddSlot a -> r.stage() >= 2;
      default -> r.stage() >= (returns(r) ? 3 : 1);
    };
  }

  private static boolean returns(Request r) {
    return switch (r.post().request()) {
      case Micro.Request.Read x -> true;
      case Micro.Request.ReadBack x -> true;
      case OneSided.ChangeWord x -> true;
      case OneSided.Lock x -> true;
      default -> false;
    };
  }

  private static boolean places(Request r) {
    return !(r.post().request() instanceof Micro.Request.Read)
        && !(r.post().request() instanceof Micro.Request.ReadBack);
  }

  private boolean post(PlainState s, int lane, Micro.Post p) {
    int q = code.queue(s, lane, p.peer(), p.queue());
    long fenced = s.fenced[PlainCode.LEVELS * (lane + 1) - 1];
    long knows =
        PlainStage.uncovered(p.request())
            ? fenced
            : s.leader[lane] & ~s.own[lane] | s.leader[lane] & fenced;
    Queue old = s.queues[q];
    Request[] requests = Arrays.copyOf(old.requests(), old.requests().length + 1);
    requests[requests.length - 1] =
        code.request(s, lane, p, knows, code.lanes + 100 * q + (p.loose() ? requests.length : 0));
    s.queues[q] =
        new Queue(
            requests,
            old.fetch(),
            old.place(),
            old.read(),
            old.fill(),
            old.filled(),
            old.loose(),
            old.arranged());
    return true;
  }

  private int stageWays(PlainState s, int queue, int stage) {
    int ways = 0;
    while (pick(s, queue, stage, ways) >= 0) {
      ways++;
    }
    return ways;
  }

  /** The request of that number among those that may enter the stage; -1 for none. */
  private int pick(PlainState s, int queue, int stage, int number) {
    Request[] all = s.queues[queue].requests();
    int left = number;
    for (int i = 0; i < all.length; i++) {
      Request r = all[i];
      boolean may = r.stage() == stage || (stage == 2 && r.stage() == 1);
      for (int k = 0; may && k < i; k++) {
        Request before = all[k];
        boolean counts = r.post().request() instanceof OneSided.Count;
        if (stage > 0 && counts != before.post().request() instanceof OneSided.Count) {
          continue;
        }
        boolean loose = before.post().loose() && !(r.post().request() instanceof OneSided.Arrange);
        boolean arranges = before.post().request() instanceof OneSided.Arrange;
        boolean unplaced = places(before) && before.stage() < 2;
        may =
            switch (stage) {
              case 0 ->
                  before.stage() > 0
                      && !(r.post().fenced() && returns(before) && before.stage() < 3);
              case 1 -> !unplaced || (!arranges && (loose || r.post().loose()));
              case 2 ->
                  (!unplaced || (r.post().loose() && (arranges || before.post().loose())))
                      && (places(before) || before.stage() >= 2);
              default -> !returns(before) || before.stage() != 2;
            };
      }
      may &=
          switch (stage) {
            case 1 ->
                places(r)
                    && !(r.post().request() instanceof OneSided.Lock
                        && last(s, r.word()).value() != 0);
            case 2 -> !places(r) && r.stage() == 1;
            case 3 -> false;
            default -> true;
          };
      if (stage == 3) {
        may = returns(r) && r.stage() == 2;
        for (int k = 0; k < i; k++) {
          may &= !(returns(all[k]) && all[k].stage() == 2);
        }
      }
      if (may && left-- == 0) {
        return i;
      }
    }
    return -1;
  }

  private boolean stage(PlainState s, int agent, int way) {
    int queue = agent / STAGES;
    int index = pick(s, queue, agent % STAGES, way);
    Queue q = s.queues[queue];
    Request r = q.requests()[index];
    return new PlainStage(this, code, s, queue, index).take(agent % STAGES, q, r);
  }

  // What stages of requests need of this search.

  int newEvent(PlainState s) {
    return event(s);
  }

  boolean access(PlainState s, long knows, int rank, int place, Access mine) {
    return access(s, new Who(knows, rank, true), place, mine);
  }

  boolean write(PlainState s, int word, long knows, int rank, Request r, boolean alone) {
    return write(s, word, new Who(knows, rank, true), r.agent(), last(s, word), alone);
  }

  boolean foreign() {
    return fails(Kind.WRITERS);
  }

  void appended(PlainState s, int word, Message message) {
    append(s, word, message);
    changed(s, word, message.value());
  }

  static Message newest(PlainState s, int word) {
    return last(s, word);
  }

  static long eventBit(int event) {
    return bit(event);
  }
}
