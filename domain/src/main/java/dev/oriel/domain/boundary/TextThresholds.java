package dev.oriel.domain.boundary;

import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.EnsureBinder;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Operator;
import dev.oriel.domain.program.SourceSeries;
import dev.oriel.domain.rewrite.ExprEdits;
import dev.oriel.domain.rewrite.OperationPart;
import dev.oriel.domain.rewrite.PartTraversal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reads every threshold out of a form's text, in the order of the text. */
final class TextThresholds {
  /** As many turns as ranks. */
  private static final Expr RANKS = Expr.name("n");

  private final Set<OperandThreshold> found = new LinkedHashSet<>();

  /** Values of registers that a lane names by {@code let}, in terms of what binding knows. */
  private Map<String, Expr> lets = new HashMap<>();

  /** Indices and loop variables in scope. */
  private Set<String> zeros = Set.of();

  /** Names of words that change from turn to turn or from launch to launch. */
  private final Set<String> counters = new HashSet<>();

  /** What the enclosing branches compare. */
  private List<Cond.Term> path = List.of();

  /** What a turn adds to a state of the lane. */
  private Map<String, Expr> steps = Map.of();

  /** The enclosing loops of a fixed number of turns. */
  private final Map<String, Expr> rounds = new TreeMap<>();

  private TextThresholds() {}

  static Set<OperandThreshold> of(Form form) {
    TextThresholds all = new TextThresholds();
    form.definitions().forEach(definition -> all.operand(definition.value()));
    form.buffers()
        .forEach(buffer -> {
          if (!buffer.isAlias()) {
            all.operand(buffer.bytes());
          }
        });
    form.signals().forEach(signal -> all.operand(signal.count()));
    form.requirements().forEach(all::team);
    form.teams().forEach(team -> all.team(team.members()));
    form.lanes().forEach(all::lane);
    form.ensures().forEach(all::ensure);
    return all.found;
  }

  private void team(Cond members) {
    for (Cond.Term term : members.terms()) {
      operand(term.left());
      operand(term.right());
    }
    condition(members);
  }

  private void lane(LaneFamily lane) {
    lets = new HashMap<>();
    zeros = Set.of();
    counters.clear();
    counters.add("epoch");
    steps = new HashMap<>();
    for (LaneFamily.Index index : lane.indices()) {
      operand(index.count());
      zero(index.name());
    }
    for (LaneFamily.State state : lane.states()) {
      counters.add(state.name());
      steps.put(state.name(), state.step());
    }
    block(lane.body());
    zeros = Set.of();
    lets = new HashMap<>();
  }

  private void ensure(Ensure ensure) {
    Set<String> before = zeros;
    for (EnsureBinder given : ensure.given()) {
      switch (given) {
        case EnsureBinder.Word word -> operand(word.most());
        case EnsureBinder.Turn turn -> {
          operand(turn.count());
          zero(turn.name());
        }
        case EnsureBinder.Rank at -> {
          turns(RANKS);
          zero(at.name());
          counters.add(at.name());
        }
      }
    }
    ensure
        .when()
        .ifPresent(when -> {
          operand(when.word().offset());
          operand(when.value());
        });
    operand(ensure.bytes());
    operand(ensure.actual().offset());
    ensure.expected().forEach(source -> source(source));
    zeros = before;
    counters.clear();
  }

  private void source(SourceSeries source) {
    Set<String> before = zeros;
    if (!source.single()) {
      turns(source.count());
      zero(source.variable());
    }
    operand(source.region().offset());
    zeros = before;
  }

  private void block(List<Op> ops) {
    Map<String, Expr> outside = lets;
    Set<String> before = zeros;
    lets = new HashMap<>(outside);
    ops.forEach(this::op);
    lets = outside;
    zeros = before;
  }

  private void op(Op op) {
    PartTraversal.all(op, OperationPart.OPERANDS).forEach(this::operand);
    switch (op) {
      case Op.Let(String register, Expr value) -> lets.put(register, resolved(value));
      case Op.Check check -> condition(check.condition());
      case Op.If branch -> {
        condition(branch.condition());
        List<Cond.Term> outside = path;
        path = along(branch.condition());
        if (path.size() > 1) {
          found.add(new OperandThreshold.Path(path, zeros));
        }
        block(branch.then());
        block(branch.otherwise());
        path = outside;
      }
      case Op.For loop -> {
        turns(loop.count());
        if (loop.count() instanceof Expr.Const) {
          rounds.put(loop.variable(), loop.count());
        }
        within(loop.variable(), loop.body());
        rounds.remove(loop.variable());
      }
      case Op.Each each -> {
        turns(RANKS);
        within(each.variable(), each.body());
      }
      case Op.Leader leader -> block(leader.body());
      default -> {}
    }
  }

  private void within(String variable, List<Op> body) {
    Set<String> before = zeros;
    boolean added = counters.add(variable);
    zero(variable);
    block(body);
    if (added) {
      counters.remove(variable);
    }
    zeros = before;
  }

  private void zero(String name) {
    Set<String> more = new HashSet<>(zeros);
    more.add(name);
    zeros = Set.copyOf(more);
    lets.remove(name);
  }

  private List<Cond.Term> along(Cond condition) {
    List<Cond.Term> all = new ArrayList<>(path);
    for (Cond.Term term : condition.terms()) {
      all.add(new Cond.Term(resolved(term.left()), term.comparison(), resolved(term.right())));
    }
    return List.copyOf(all);
  }

  private void condition(Cond condition) {
    condition
        .terms()
        .forEach(term -> {
          Expr left = resolved(term.left());
          Expr right = resolved(term.right());
          found.add(new OperandThreshold.Comparison(left, right, zeros));
          turn(left, right);
          turn(right, left);
        });
  }

  private void turns(Expr count) {
    found.add(new OperandThreshold.Turns(resolved(count), zeros));
  }

  private void operand(Expr expr) {
    inside(resolved(expr));
  }

  private void inside(Expr expr) {
    switch (expr) {
      case Expr.Const c -> {}
      case Expr.Name n -> {}
      case Expr.NonZero32(Expr counter) -> inside(counter);
      case Expr.Binary(Operator operator, Expr left, Expr right) -> {
        inside(left);
        inside(right);
        binary(operator, left, right);
      }
    }
  }

  private void binary(Operator operator, Expr left, Expr right) {
    switch (operator) {
      case MIN, MAX, XOR -> {
        found.add(new OperandThreshold.Comparison(left, right, zeros));
        if (left instanceof Expr.Name) {
          turn(left, right);
        }
        if (right instanceof Expr.Name) {
          turn(right, left);
        }
      }
      case DIV, CEIL, MOD -> {
        found.add(new OperandThreshold.Division(left, right, zeros));
        doubled(left, right);
        if (operator == Operator.MOD) {
          period(left, right);
          strides(left, right);
        } else if (left instanceof Expr.Name) {
          turn(left, right);
        }
      }
      case AND -> {
        if (right instanceof Expr.Const(long mask) && (mask & mask + 1) == 0) {
          found.add(new OperandThreshold.Division(left, Expr.of(mask + 1), zeros));
          period(left, Expr.of(mask + 1));
        }
      }
      case SHR -> {
        if (right instanceof Expr.Const(long bits) && 0 < bits && bits < Long.SIZE - 1) {
          found.add(new OperandThreshold.Division(left, Expr.of(1L << bits), zeros));
        }
      }
      default -> {}
    }
  }

  /** A counter that comes back to where it was after so many turns. */
  private void period(Expr left, Expr modulus) {
    Optional<String> counter =
        counters.stream().sorted().filter(name -> ExprEdits.uses(left, name)).findFirst();
    counter.ifPresent(name -> {
      Expr own = steps.getOrDefault(name, Expr.of(1));
      Expr step = factor(left, name).map(factor -> product(factor, own)).orElse(own);
      found.add(new OperandThreshold.Period(modulus, step, zeros));
    });
  }

  /** A stride reaches every place only if the modulus is no multiple of it. */
  private void strides(Expr left, Expr modulus) {
    if (modulus instanceof Expr.Const) {
      return;
    }
    for (String name : new TreeSet<>(counters)) {
      factor(left, name)
          .filter(stride -> stride instanceof Expr.Const(long places) && places > 1)
          .ifPresent(stride -> found.add(new OperandThreshold.Comparison(modulus, stride, zeros)));
    }
  }

  /** A distance that doubles in a fixed number of rounds: what the round after the last reaches. */
  private void doubled(Expr whole, Expr part) {
    rounds.forEach((variable, count) -> {
      if (shifts(whole, variable)) {
        Expr after = ExprEdits.substitute(whole, variable, count);
        found.add(new OperandThreshold.Comparison(after, part, zeros));
      }
    });
  }

  private static boolean shifts(Expr expr, String by) {
    return ExprEdits.sum(
            expr,
            e ->
                e instanceof Expr.Binary(Operator operator, Expr _, Expr right)
                        && operator == Operator.SHL
                        && ExprEdits.uses(right, by)
                    ? 1
                    : 0)
        > 0;
  }

  /** A turn from which on something else is done: a loop's variable is compared with a number. */
  private void turn(Expr left, Expr right) {
    boolean loop =
        counters.stream().anyMatch(name -> zeros.contains(name) && ExprEdits.uses(left, name));
    boolean fixed = counters.stream().noneMatch(name -> ExprEdits.uses(right, name));
    if (loop && fixed) {
      period(left, right);
    }
  }

  /** The factor of a name in a sum of products; empty if it is no such sum. */
  private static Optional<Expr> factor(Expr expr, String name) {
    if (!ExprEdits.uses(expr, name)) {
      return Optional.of(Expr.of(0));
    }
    return switch (expr) {
      case Expr.Name _ -> Optional.of(Expr.of(1));
      case Expr.Binary(Operator operator, Expr left, Expr right) ->
          switch (operator) {
            case ADD -> factor(left, name).flatMap(a -> factor(right, name).map(b -> sum(a, b)));
            case SUB -> ExprEdits.uses(right, name) ? Optional.empty() : factor(left, name);
            case MUL ->
                ExprEdits.uses(right, name)
                    ? ExprEdits.uses(left, name)
                        ? Optional.empty()
                        : factor(right, name).map(b -> product(left, b))
                    : factor(left, name).map(a -> product(a, right));
            default -> Optional.empty();
          };
      default -> Optional.empty();
    };
  }

  private static Expr sum(Expr a, Expr b) {
    return a.equals(Expr.of(0)) ? b : b.equals(Expr.of(0)) ? a : a.plus(b);
  }

  private static Expr product(Expr a, Expr b) {
    return a.equals(Expr.of(1)) ? b : b.equals(Expr.of(1)) ? a : a.times(b);
  }

  private Expr resolved(Expr expr) {
    Expr resolved = expr;
    for (Map.Entry<String, Expr> let : lets.entrySet()) {
      if (ExprEdits.uses(resolved, let.getKey())) {
        resolved = ExprEdits.substitute(resolved, let.getKey(), let.getValue());
      }
    }
    return resolved;
  }
}
