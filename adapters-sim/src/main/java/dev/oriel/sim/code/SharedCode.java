package dev.oriel.sim.code;

import dev.oriel.domain.binding.ExprEvaluator;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.binding.RankProgram.LaneInstance;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Peers;
import dev.oriel.ports.MachineException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * Each lane of a form, compiled once for every agent of every rank, so the code's size does not
 * grow with the world. Values that differ by rank or index are in registers, which each agent
 * receives.
 *
 * <p>Sets have fixed numbers here: {@link #ALL}, {@link #OTHERS}. A set of lanes has the index of
 * its name in the form.
 */
public final class SharedCode {
  /** The set of all ranks. */
  public static final int ALL = 0;

  /** The set of all ranks but the executing one. */
  public static final int OTHERS = 1;

  private static final int MAX_LANES = 1 << 16;

  private final OperandTable operands = new OperandTable();
  private final Form form;
  private final RankProgram first;
  private final Set<String> ranked = new HashSet<>(Set.of("r"));
  private final List<Combine> combines = new ArrayList<>();
  private final List<SharedLane> lanes = new ArrayList<>();

  /**
   * One lane of the form; {@code given} names the values that each agent supplies, and their
   * registers.
   */
  public record SharedLane(LaneFamily lane, LaneInstructions code, Map<String, Integer> given) {}

  public SharedCode(Program program, LoweredForm lowered) {
    form = program.form();
    first = program.rank(0);
    form.definitions().stream()
        .filter(d -> names(d.value(), ranked))
        .forEach(d -> ranked.add(d.name()));
    for (LaneFamily lane : form.lanes()) {
      LaneInstance any = new LaneInstance(lane, Map.of());
      var looped = LaneCompiler.looped(new AnyRank(lane), any, lowered.lane(lane.name()));
      lanes.add(new SharedLane(lane, looped.code(), Map.copyOf(looped.given())));
    }
  }

  /** In the order of the form. */
  public List<SharedLane> lanes() {
    return lanes;
  }

  /** The evaluator of every lane's operands. */
  public OperandTable operands() {
    return operands;
  }

  /** The values of the rank's agents; without the proofs that {@link Program#rank} makes. */
  public RankValues rank(int rank) {
    return new RankValues(rank);
  }

  /** The values of one rank. */
  public final class RankValues {
    private final Map<String, Long> values = new HashMap<>();

    private RankValues(int rank) {
      values.put("r", (long) rank);
      for (Form.Definition d : form.definitions()) {
        if (ranked.contains(d.name())) {
          values.put(d.name(), value(d.value()));
        }
      }
    }

    private long value(Expr expr) {
      return ExprEvaluator.value(expr, this::named);
    }

    private long named(String name) {
      Long value = values.get(name);
      return value != null ? value : first.known(name);
    }

    /** The number of agents that the rank has of the lane. */
    public long instances(SharedLane lane) {
      long count = 1;
      for (LaneFamily.Index index : lane.lane().indices()) {
        long of = value(index.count());
        if (of < 0 || of > MAX_LANES || count * of > MAX_LANES) {
          throw new MachineException(
              "too many lanes: rank=%d, lane=%s, max=%d; use fewer lanes with more threads"
                  .formatted(values.get("r"), lane.lane().name(), MAX_LANES));
        }
        count *= of;
      }
      return count;
    }

    /** Fills the registers of the lane's agent of that number; the last index varies fastest. */
    public void give(SharedLane lane, long instance, long[] registers, int base) {
      if (lane.given().isEmpty()) {
        return;
      }
      List<LaneFamily.Index> indices = lane.lane().indices();
      long rest = instance;
      for (int i = indices.size() - 1; i >= 0; i--) {
        long count = value(indices.get(i).count());
        Integer register = lane.given().get(indices.get(i).name());
        if (register != null) {
          registers[base + register] = rest % count;
        }
        rest /= count;
      }
      lane.given()
          .forEach((name, register) -> {
            Long value = values.get(name);
            if (value != null) {
              registers[base + register] = value;
            }
          });
    }
  }

  private static boolean names(Expr expr, Set<String> some) {
    return switch (expr) {
      case Expr.Const c -> false;
      case Expr.Name(String name) -> some.contains(name);
      case Expr.NonZero32(Expr counter) -> names(counter, some);
      case Expr.Binary(var operator, Expr left, Expr right) ->
          names(left, some) || names(right, some);
    };
  }

  /** Compiles for all agents of a lane at once. */
  private final class AnyRank implements LaneCompiler.NameEnvironment {
    private final LaneFamily lane;

    AnyRank(LaneFamily lane) {
      this.lane = lane;
    }

    @Override
    public OperandTable operands() {
      return operands;
    }

    @Override
    public Form form() {
      return form;
    }

    @Override
    public int rank() {
      return -1;
    }

    @Override
    public OptionalInt known(String name) {
      boolean brought =
          ranked.contains(name) || lane.indices().stream().anyMatch(i -> i.name().equals(name));
      return brought ? OptionalInt.empty() : OptionalInt.of(operands.constant(first.known(name)));
    }

    @Override
    public int ranks(Peers peers, ToIntFunction<Expr> operand) {
      return switch (peers) {
        case Peers.Self() -> ~operand.applyAsInt(Expr.rank());
        case Peers.All() -> ALL;
        case Peers.Others() -> OTHERS;
        case Peers.One(Expr one) -> ~operand.applyAsInt(one);
      };
    }

    @Override
    public int combine(Combine combine) {
      int at = combines.indexOf(combine);
      if (at < 0) {
        combines.add(combine);
        return combines.size() - 1;
      }
      return at;
    }

    @Override
    public int lanes(String name) {
      return form.lanes().stream().map(LaneFamily::name).toList().indexOf(name);
    }
  }
}
