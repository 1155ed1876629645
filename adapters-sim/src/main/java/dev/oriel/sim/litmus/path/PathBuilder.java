package dev.oriel.sim.litmus.path;

import dev.oriel.sim.litmus.path.ThreadPath.Constraint;
import dev.oriel.sim.litmus.path.ThreadPath.Ending;
import dev.oriel.sim.litmus.test.InstructionOperand;
import dev.oriel.sim.litmus.test.LitmusInstruction;
import dev.oriel.sim.litmus.test.LitmusScope;
import dev.oriel.sim.litmus.test.MemoryOrder;
import dev.oriel.sim.litmus.test.MemoryProxy;
import dev.oriel.sim.litmus.test.ValueComparison;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** A path under construction: its position, its registers, its events. */
final class PathBuilder {
  /**
   * A visit of a loop's head; {@code decided} if a read decided whether the round after it
   * continues.
   */
  record Visit(int at, List<Integer> registers, int events, int constraints, boolean decided) {}

  final List<PathEvent> events;
  int at;
  int steps;

  /** Its place among the postponed walks. */
  long number;

  /** Whether the previous round of its loop must have changed memory. */
  boolean changed;

  private final ValueTerms terms;
  private final Map<String, Integer> registers;
  private final List<Constraint> constraints;
  private final List<Visit> visits;
  private int reads;
  private long control;

  PathBuilder(ValueTerms terms) {
    this.terms = terms;
    events = new ArrayList<>();
    registers = new HashMap<>();
    constraints = new ArrayList<>();
    visits = new ArrayList<>();
  }

  private PathBuilder(PathBuilder from) {
    terms = from.terms;
    events = new ArrayList<>(from.events);
    registers = new HashMap<>(from.registers);
    constraints = new ArrayList<>(from.constraints);
    visits = new ArrayList<>(from.visits);
    at = from.at;
    steps = from.steps;
    reads = from.reads;
    control = from.control;
  }

  PathBuilder copy() {
    return new PathBuilder(this);
  }

  void set(String register, int term) {
    registers.put(register, term);
  }

  int term(InstructionOperand operand) {
    return switch (operand) {
      case InstructionOperand.Constant constant -> terms.constant(constant.value());
      case InstructionOperand.Register register -> register(register.name());
    };
  }

  private int register(String name) {
    Integer term = registers.get(name);
    return term == null ? terms.constant(0) : term;
  }

  void load(LitmusInstruction.Load load) {
    int value = read();
    add(PathEvent.Kind.READ, load.location(), load.proxy(), load.order(), load.scope(), value, -1);
    set(load.to(), value);
  }

  void store(LitmusInstruction.Store store) {
    add(
        PathEvent.Kind.WRITE,
        store.location(),
        store.proxy(),
        store.order(),
        store.scope(),
        term(store.value()),
        -1);
  }

  /**
   * The read half has the acquire, the write half the release; a failed cas writes the old value.
   */
  void atomic(LitmusInstruction.Atomic atomic, boolean posted) {
    int operand = term(atomic.value());
    InstructionOperand expected = atomic.expected();
    int old = read();
    int stored = operand;
    if (expected != null) {
      stored = terms.choose(old, term(expected), operand, old);
    } else if (atomic.op() != null) {
      stored = terms.apply(atomic.op(), old, operand);
    }
    MemoryOrder read = atomic.order().acquires() ? MemoryOrder.ACQUIRE : MemoryOrder.RELAXED;
    MemoryOrder write = atomic.order().releases() ? MemoryOrder.RELEASE : MemoryOrder.RELAXED;
    int first = events.size();
    MemoryProxy proxy = MemoryProxy.GENERIC;
    add(PathEvent.Kind.READ, atomic.location(), proxy, read, atomic.scope(), old, first + 1);
    add(PathEvent.Kind.WRITE, atomic.location(), proxy, write, atomic.scope(), stored, first);
    if (atomic.to() != null) {
      set(atomic.to(), old);
    }
    if (posted) {
      events.subList(first, first + 2).replaceAll(PathEvent::postedAlike);
    }
  }

  private int read() {
    return terms.read(reads++);
  }

  private void add(
      PathEvent.Kind kind,
      int location,
      MemoryProxy proxy,
      MemoryOrder order,
      LitmusScope scope,
      int value,
      int partner) {
    long fed = kind == PathEvent.Kind.WRITE ? terms.reads(value) : 0;
    events.add(
        PathEvent.access(kind, location, proxy, order, scope, value, control | fed, partner));
  }

  void barrier(LitmusInstruction.Barrier barrier) {
    InstructionOperand quorum = barrier.quorum();
    events.add(
        PathEvent.barrier(
            barrier.waits() ? PathEvent.Kind.SYNC : PathEvent.Kind.ARRIVE,
            barrier.instance(),
            term(barrier.resource()),
            quorum == null ? -1 : term(quorum)));
  }

  void decide(ValueComparison comparison, int a, int b, boolean holds) {
    constraints.add(new Constraint(comparison, a, b, holds));
    control |= terms.reads(a) | terms.reads(b);
  }

  /**
   * Restricts the path to executions in which two terms are equal, or different; decides no branch.
   */
  void require(int a, int b, boolean equal) {
    constraints.add(new Constraint(ValueComparison.EQ, a, b, equal));
  }

  /**
   * Whether the constraints imply that an update stores the value it reads, as a failed cas does.
   */
  boolean keeps(int stored, int read) {
    List<Integer> choice = terms.choice(stored);
    return !choice.isEmpty()
        && choice.get(3) == read
        && constraints.stream().anyMatch(c -> terms.differ(c, choice.get(0), choice.get(1)));
  }

  private List<Integer> values(Set<String> live) {
    return live.stream().map(this::register).toList();
  }

  void visit(Set<String> live) {
    visits.add(new Visit(at, values(live), events.size(), constraints.size(), false));
  }

  /** The rounds of the loop at this place whose continuation a read decided. */
  long decidedRounds() {
    return visits.stream().filter(visit -> visit.at() == at && visit.decided()).count();
  }

  /** Records that a read decides in the current rounds of the loops with those heads. */
  void decidesRounds(IntPredicate heads) {
    Set<Integer> done = new HashSet<>();
    for (int i = visits.size() - 1; i >= 0; i--) {
      Visit v = visits.get(i);
      if (done.add(v.at()) && heads.test(v.at()) && !v.decided()) {
        visits.set(i, new Visit(v.at(), v.registers(), v.events(), v.constraints(), true));
      }
    }
  }

  boolean decidedNothingSince(Visit visit) {
    return visit.constraints() == constraints.size();
  }

  /** The last visit of this place in the same state, if any. */
  @Nullable Visit sameVisit(Set<String> live) {
    List<Integer> now = values(live);
    for (int i = visits.size() - 1; i >= 0; i--) {
      Visit visit = visits.get(i);
      if (visit.at() == at && visit.registers().equals(now)) {
        return visit;
      }
    }
    return null;
  }

  ThreadPath path(Ending ending, int spinFrom, Set<String> observed) {
    Map<String, Integer> finals = new HashMap<>();
    observed.forEach(name -> finals.put(name, register(name)));
    return ThreadPath.of(events, constraints, finals, ending, spinFrom, terms);
  }
}
