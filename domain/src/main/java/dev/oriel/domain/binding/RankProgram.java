package dev.oriel.domain.binding;

import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.HookOperands;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Mistake;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.SignalArray;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** The program of one rank: the sizes of its memory and its lanes, one entry per lane instance. */
public final class RankProgram {
  static final long MAX_BYTES = 1L << 46;
  static final long MAX_SLOTS = 1L << 24;
  static final int MAX_LANES = 65_536;

  private final Program program;
  private final int rank;

  /** Every name that the binding and the rank determine; filled in the order of the form. */
  private final Map<String, Long> known = new TreeMap<>();

  RankProgram(Program program, int rank) {
    this.program = program;
    this.rank = rank;
    known.put("n", (long) program.world());
    known.put("r", (long) rank);
    known.putAll(program.params());
    for (Form.Definition d : program.form().definitions()) {
      known.put(d.name(), value(d.value()));
    }
  }

  /** One agent: a lane of the form with a value for each of its indices, in their order. */
  public record LaneInstance(LaneFamily lane, Map<String, Long> indices) {
    /** The name of the lane and its indices, as reports print it. */
    public String label() {
      return indices.isEmpty() ? lane.name() : lane.name() + indices.values();
    }
  }

  public Program program() {
    return program;
  }

  public int rank() {
    return rank;
  }

  /** The value of an operand that depends only on the binding and this rank. */
  public long value(Expr expr) {
    return ExprEvaluator.value(expr, this::known);
  }

  /**
   * The value of a name that the binding and this rank determine.
   *
   * @throws ProgramException if only a running lane knows it
   */
  public long known(String name) {
    Long value = known.get(name);
    if (value == null) {
      throw new ProgramException(
          "name not known at binding: name=%s, form=%s; known: %s"
              .formatted(name, program.form().name(), String.join(", ", known.keySet())));
    }
    return value;
  }

  boolean knows(String name) {
    return known.containsKey(name);
  }

  /** The size of this rank's own buffer of that name. */
  public long bytes(String buffer) {
    Buffer b =
        program
            .form()
            .buffer(buffer)
            .orElseThrow(
                () -> new ProgramException("unknown buffer: name=" + buffer + "; declare it"));
    return bounded(b, value(b.bytes()), MAX_BYTES, "size of buffer " + buffer);
  }

  /** The number of slots that each source has in this rank's row of that signal. */
  public int slots(String signal) {
    SignalArray s =
        program
            .form()
            .signal(signal)
            .orElseThrow(
                () -> new ProgramException("unknown signal: name=" + signal + "; declare it"));
    return (int) bounded(s, value(s.count()), MAX_SLOTS, "count of signal " + signal);
  }

  /** The combination with this rank's numbers in place of a hook's operands. */
  public Combine bound(Combine combine) {
    return combine instanceof Combine.Apply(HookForm hook, HookOperands operands)
        ? new Combine.Apply(hook.bound(this::value, rank, program.world()), operands)
        : combine;
  }

  /** The same with the hook's fields, computed from the names of a lane or a post-condition. */
  public Combine bound(Combine combine, ToLongFunction<String> names) {
    return combine instanceof Combine.Apply(HookForm hook, HookOperands operands)
        ? bound(
            new Combine.Apply(
                new Combine.Apply(
                        hook,
                        operands.with(operand -> Expr.of(ExprEvaluator.value(operand, names))))
                    .boundHook()))
        : combine;
  }

  /** Every lane instance, in the order of the form and of the indices. */
  public List<LaneInstance> lanes() {
    List<LaneInstance> instances = new ArrayList<>();
    for (LaneFamily lane : program.form().lanes()) {
      expand(lane, instances);
    }
    return instances;
  }

  /**
   * The conditions on this rank's memory after this rank has ended. One without bytes is left out.
   *
   * @param start the initial contents, with the words that post-conditions name
   * @throws ProgramException if such a word is above its bound
   */
  public List<BoundPostCondition> claims(BoundPostCondition.InitialContents start) {
    return new PostConditionResolver(this, start).all();
  }

  private void expand(LaneFamily lane, List<LaneInstance> into) {
    List<Map<String, Long>> chosen = List.of(Map.of());
    for (LaneFamily.Index index : lane.indices()) {
      long count = bounded(index, value(index.count()), MAX_LANES, "count of lane " + lane.name());
      if (count * chosen.size() > MAX_LANES - into.size()) {
        throw new ProgramException(
            Mistake.of(
                lane,
                "too many lanes",
                "rank=%d, lane=%s, max=%d".formatted(rank, lane.name(), MAX_LANES),
                "use fewer lanes with more threads"));
      }
      chosen = with(index.name(), count, chosen);
    }
    if (lane.engine() instanceof LaneFamily.Engine.Sm sm && chosen.size() % sm.cluster() != 0) {
      throw new ProgramException(
          Mistake.of(
              lane,
              "lanes do not fill clusters",
              "rank=%d, lane=%s, lanes=%d, cluster=%d"
                  .formatted(rank, lane.name(), chosen.size(), sm.cluster()),
              "use a multiple"));
    }
    chosen.forEach(indices -> into.add(new LaneInstance(lane, indices)));
  }

  /**
   * Every one of {@code chosen} with every value of one more index; the last index varies fastest.
   */
  private static List<Map<String, Long>> with(
      String index, long count, List<Map<String, Long>> chosen) {
    List<Map<String, Long>> more = new ArrayList<>();
    for (Map<String, Long> earlier : chosen) {
      for (long i = 0; i < count; i++) {
        Map<String, Long> one = new LinkedHashMap<>(earlier);
        one.put(index, i);
        more.add(Collections.unmodifiableMap(one));
      }
    }
    return more;
  }

  private long bounded(Object part, long value, long max, String what) {
    if (value < 0 || value > max) {
      throw new ProgramException(
          Mistake.of(
              part,
              "value out of range",
              "what=%s, rank=%d, value=%d, max=%d".formatted(what, rank, value, max),
              "choose smaller parameters"));
    }
    return value;
  }
}
