package dev.oriel.sim.code;

import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.LoweredStep;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Operator;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.rewrite.OperationPart;
import dev.oriel.domain.rewrite.OperationRewrite;
import dev.oriel.domain.rewrite.PartTraversal;
import dev.oriel.domain.window.Epoch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The operations of one lane with the values of their names, for reports.
 *
 * <p>Executed code has no names: constants and registers replaced them. So the lane is compiled
 * once more, by the same compiler into a table of its own, and the names known at each instruction
 * are kept. Only a recorded execution needs this; a search never does.
 */
public final class OperationValues {
  private static final Pattern CONSTANT_RANK = Pattern.compile("@\\((\\d+)\\)");

  private final LaneInstructions code;
  private final OperandTable operands = new OperandTable();
  private final Map<Integer, Here> places = new HashMap<>();
  private final List<Numbered> operations = new ArrayList<>();
  private final List<String> indices;

  /** What is known at an instruction: its step, and the operand of each name that has one. */
  private record Here(LoweredStep step, Map<String, Integer> operands) {}

  /** An operation, and the variables of the loops around it, from the outermost on. */
  private record Numbered(Op op, List<String> loops) {}

  /**
   * An operation at one instruction, with values.
   *
   * @param text as the program spells it
   * @param resolved the same with numbers in place of names
   * @param step the resolved micro-operation, if it is one part of a longer call; otherwise empty
   * @param loops values of the indices of its lane and of loops around it
   * @param names values of its other names, without those of the rank and the world
   */
  public record Resolved(
      String text,
      String resolved,
      String step,
      Map<String, Long> loops,
      Map<String, Long> names) {}

  OperationValues(RankEnvironment scene, LoweredLane lowered, LaneInstructions code) {
    this.code = code;
    indices = List.copyOf(scene.instance().indices().keySet());
    number(scene.instance().lane().body(), List.of());
    OwnTable own = new OwnTable(scene, operands);
    if (!LaneCompiler.named(own, scene.instance(), lowered, true, this::keep)) {
      places.clear();
      LaneCompiler.named(own, scene.instance(), lowered, false, this::keep);
    }
  }

  /** Keeps the names of the instruction at that place; {@code operand} knows them just now. */
  private void keep(int at, LoweredStep step, LaneCompiler.NamedOperands operand) {
    if (step.operation() < 0 || step.operation() >= operations.size()) {
      return;
    }
    Numbered numbered = operations.get(step.operation());
    Set<String> wanted = new LinkedHashSet<>(indices);
    wanted.addAll(numbered.loops);
    names(numbered.op, wanted);
    Op part = part(step.micro());
    if (part != null) {
      names(part, wanted);
    }
    if (step.micro() instanceof MicroOperation.Post post) {
      names(new Op.Let("", post.peer()), wanted);
    }
    Map<String, Integer> known = new HashMap<>();
    wanted.forEach(name -> operand.of(name).ifPresent(o -> known.put(name, o)));
    places.put(at, new Here(step, known));
  }

  private static void names(Op op, Set<String> into) {
    PartTraversal.rewrite(
        op,
        new OperationRewrite() {
          @Override
          public <T> T part(OperationPart<T> part, T value) {
            if (value instanceof Expr expr) {
              names(expr).forEach(into::add);
            }
            return value;
          }
        });
  }

  private static Stream<String> names(Expr expr) {
    return switch (expr) {
      case Expr.Const c -> Stream.empty();
      case Expr.Name(String name) -> Stream.of(name);
      case Expr.NonZero32(Expr counter) -> names(counter);
      case Expr.Binary(var operator, Expr left, Expr right) ->
          Stream.concat(names(left), names(right));
    };
  }

  private void number(List<Op> body, List<String> loops) {
    for (Op op : body) {
      operations.add(new Numbered(op, loops));
      List<String> inner = new ArrayList<>(loops);
      switch (op) {
        case Op.For f -> inner.add(f.variable());
        case Op.Each e -> inner.add(e.variable());
        default -> {}
      }
      PartTraversal.blocks(op).forEach(block -> number(block, inner));
    }
  }

  /**
   * The operation of the instruction at that place, with its values before the step; null if it
   * belongs to none.
   *
   * @param registers of all lanes; those of this lane start at {@code base}
   */
  public @Nullable Resolved at(int at, long[] registers, int base) {
    int number = code.operation(at);
    Here here = places.get(at);
    if (number < 0 || number >= operations.size() || here == null) {
      return null;
    }
    Numbered numbered = operations.get(number);
    Names names = new Names(here.operands, registers, base);
    Set<String> used = new LinkedHashSet<>();
    Op op = names.in(numbered.op, used);
    String resolved = printed(op);
    Op part = part(here.step.micro());
    String step =
        part == null || part.getClass().equals(op.getClass()) ? "" : printed(names.in(part, used));
    if (here.step.micro() instanceof MicroOperation.Post post) {
      names.in(new Op.Let("", post.peer()), used);
    }
    Map<String, Long> loops = new LinkedHashMap<>();
    for (List<String> outer : List.of(indices, numbered.loops)) {
      outer.forEach(name -> names.value(name).ifPresent(value -> loops.put(name, value)));
    }
    Map<String, Long> others = new LinkedHashMap<>();
    for (String name : used) {
      if (!loops.containsKey(name) && !name.equals("r") && !name.equals("n")) {
        names.value(name).ifPresent(value -> others.put(StepDescription.of(name), value));
      }
    }
    return new Resolved(printed(numbered.op), resolved, StepDescription.of(step), loops, others);
  }

  /** The operation of that instruction as the program spells it; empty if it belongs to none. */
  public String text(int at) {
    int number = code.operation(at);
    return number < 0 || number >= operations.size() ? "" : printed(operations.get(number).op);
  }

  /** Constant ranks without parentheses, as people write them. */
  private static String printed(Op op) {
    return CONSTANT_RANK.matcher(FormPrinter.head(op)).replaceAll("@$1");
  }

  /**
   * The part of a call that the micro-operation is: what it signals or waits for. Null for all
   * others, since the call's own text states them.
   */
  private static @Nullable Op part(MicroOperation micro) {
    return switch (micro) {
      case MicroOperation.WriteSlot w ->
          new Op.Signal(
              w.slot(), w.change(), w.value(), w.order(), w.scope(), Op.Signal.Cover.LANE);
      case MicroOperation.PollSlot p ->
          new Op.Await(p.slot(), p.quantifier(), p.comparison(), p.value(), p.order(), p.scope());
      case MicroOperation.AwaitQueue q -> new Op.Flush(Peers.one(q.peer()), Op.Flush.Reach.LOCAL);
      default -> null;
    };
  }

  /** The values of names at one instruction of one state. */
  private final class Names {
    private final Map<String, Integer> known;
    private final long[] registers;
    private final int base;

    Names(Map<String, Integer> known, long[] registers, int base) {
      this.known = known;
      this.registers = registers;
      this.base = base;
    }

    OptionalLong value(String name) {
      Integer operand = known.get(name);
      return operand == null
          ? OptionalLong.empty()
          : OptionalLong.of(operands.value(operand, registers, base));
    }

    Op in(Op op, Set<String> used) {
      return PartTraversal.rewrite(
          op,
          new OperationRewrite() {
            @Override
            public <T> T part(OperationPart<T> part, T value) {
              return value instanceof Expr expr ? part.type().cast(folded(expr, used)) : value;
            }
          });
    }

    /** The operand as a number; names that have no value here, such as a run's, stay. */
    private Expr folded(Expr expr, Set<String> used) {
      return switch (expr) {
        case Expr.Const c -> c;
        case Expr.Name(String name) -> {
          OptionalLong value = value(name);
          if (value.isPresent()) {
            used.add(name);
          }
          yield value.isPresent() ? Expr.of(value.getAsLong()) : expr;
        }
        case Expr.NonZero32(Expr counter) ->
            folded(counter, used) instanceof Expr.Const(long value)
                ? Expr.of(Epoch.nz32(value))
                : expr;
        case Expr.Binary(Operator operator, Expr left, Expr right) -> {
          Expr a = folded(left, used);
          Expr b = folded(right, used);
          try {
            yield a instanceof Expr.Const(long x) && b instanceof Expr.Const(long y)
                ? Expr.of(operator.apply(x, y))
                : new Expr.Binary(operator, a, b);
          } catch (ArithmeticException divides) {
            yield new Expr.Binary(operator, a, b);
          }
        }
      };
    }
  }

  /** The names of one agent, with operands in a table that no execution reads. */
  private record OwnTable(RankEnvironment scene, OperandTable operands)
      implements LaneCompiler.NameEnvironment {
    @Override
    public Form form() {
      return scene.form();
    }

    @Override
    public int rank() {
      return scene.rank();
    }

    @Override
    public OptionalInt known(String name) {
      Long index = scene.instance().indices().get(name);
      return OptionalInt.of(operands.constant(index != null ? index : scene.program().known(name)));
    }

    @Override
    public int ranks(Peers peers, ToIntFunction<Expr> operand) {
      return scene.ranks(peers, operand);
    }

    @Override
    public int combine(Combine combine) {
      return scene.combine(combine);
    }

    @Override
    public int lanes(String name) {
      return scene.lanes(name);
    }
  }
}
