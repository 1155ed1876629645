package dev.oriel.domain.binding;

import dev.oriel.domain.naming.NearestName;
import dev.oriel.domain.program.AppliedHooks;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.TextDigest;
import dev.oriel.domain.program.check.FormValidator;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A form bound to a world and to parameter values. Ranks are expanded on demand, so a program of
 * 65,536 ranks costs as much as one rank.
 */
public final class Program {
  /** Largest world a program can be bound to. */
  public static final int MAX_WORLD = 1 << 20;

  /** Up to this world, binding checks every rank and matches every wait with a signal. */
  public static final int FULLY_CHECKED_WORLD = 64;

  /** The begin of the message about a world or parameters that a form is not meant for. */
  public static final String UNINTENDED = "not meant for these values";

  private final Form form;
  private final int world;
  private final Map<String, Long> params;

  /** Names whose value may differ by rank. */
  private final Set<String> ranked = new HashSet<>(Set.of("r"));

  /** Whether lanes load words of inputs, and whether moves apply hooks; the same on all ranks. */
  private final boolean loadsInputs;

  private final boolean appliesHooks;

  private Program(Form form, int world, Map<String, Long> params) {
    this.form = form;
    this.world = world;
    this.params = Collections.unmodifiableMap(new TreeMap<>(params));
    form.definitions().stream()
        .filter(d -> namesRank(d.value()))
        .forEach(d -> ranked.add(d.name()));
    loadsInputs = LoadWalk.anyLoad(form);
    appliesHooks =
        AppliedHooks.moves(form).anyMatch(move -> move.combine() instanceof Combine.Apply);
  }

  boolean loadsInputs() {
    return loadsInputs;
  }

  boolean appliesHooks() {
    return appliesHooks;
  }

  /**
   * Binds {@code form}; a missing parameter takes its maximum.
   *
   * @throws ProgramException naming the parameter, size, region or wait that is invalid
   */
  public static Program bind(Form form, int world, Map<String, Long> params) {
    if (world < 1 || world > MAX_WORLD) {
      throw new ProgramException(
          "world out of range: world=%d, min=1, max=%d; give the number of ranks"
              .formatted(world, MAX_WORLD));
    }
    FormValidator.validate(form);
    Map<String, Long> values = new TreeMap<>();
    form.params().forEach(p -> values.put(p.name(), p.max()));
    new TreeMap<>(params)
        .forEach((name, value) -> {
          Long max = values.get(name);
          if (max == null) {
            throw new ProgramException(
                "unknown parameter: name=%s, form=%s; %sknown: %s"
                    .formatted(
                        name,
                        form.name(),
                        NearestName.question(name, values.keySet()),
                        values.isEmpty() ? "none" : String.join(", ", values.keySet())));
          }
          if (value < 0 || value > max) {
            throw new ProgramException(
                "parameter out of range: name=%s, value=%d, min=0, max=%d; give a value in between"
                    .formatted(name, value, max));
          }
          values.put(name, value);
        });
    violated(form, world, values)
        .ifPresent(c -> {
          throw new ProgramException(
              "%s: form=%s, world=%d%s, require=%s; choose a world and values for which it holds"
                  .formatted(
                      UNINTENDED,
                      form.name(),
                      world,
                      values.entrySet().stream()
                          .map(p -> ", " + p.getKey() + "=" + p.getValue())
                          .collect(Collectors.joining()),
                      FormPrinter.print(c)));
        });
    Program program = new Program(form, world, values);
    if (world <= FULLY_CHECKED_WORLD) {
      UnsatisfiableWaitCheck.check(program);
    } else {
      program.rank(0);
    }
    return program;
  }

  /** Whether the form's requirements hold for that world and those values of all parameters. */
  public static boolean intended(Form form, int world, Map<String, Long> params) {
    return violated(form, world, params).isEmpty();
  }

  private static Optional<Cond> violated(Form form, int world, Map<String, Long> params) {
    return form.requirements().stream()
        .filter(c -> !ExprEvaluator.holds(c, name -> ofAnyRank(form, world, params, name)))
        .findFirst();
  }

  /** The value of a name that is the same at every rank; only the names that it uses are needed. */
  private static long ofAnyRank(Form form, int world, Map<String, Long> params, String name) {
    Long param = params.get(name);
    if (param != null) {
      return param;
    }
    return form.definitions().stream()
        .filter(d -> d.name().equals(name))
        .findFirst()
        .map(d -> ExprEvaluator.value(d.value(), n -> ofAnyRank(form, world, params, n)))
        .orElse((long) world);
  }

  public Form form() {
    return form;
  }

  public int world() {
    return world;
  }

  /** Every parameter's value, by name. */
  public Map<String, Long> params() {
    return params;
  }

  /**
   * The program of that rank, expanded and checked now.
   *
   * @throws IndexOutOfBoundsException if there is no such rank
   */
  public RankProgram rank(int rank) {
    RankProgram expanded = unchecked(rank);
    if (world > FULLY_CHECKED_WORLD) {
      BindingBudget effort = new BindingBudget();
      BindingMistakes mistakes = new BindingMistakes(effort);
      BindingCheck.rank(expanded, this::unchecked, LaneTrafficSink.IGNORED, effort, mistakes);
      mistakes.refuse();
    }
    return expanded;
  }

  /** Whether ranks may have different sizes of that buffer. */
  boolean differsByRank(String buffer) {
    return form.buffer(buffer).map(b -> namesRank(b.bytes())).orElseThrow();
  }

  private boolean namesRank(Expr expr) {
    return switch (expr) {
      case Expr.Const c -> false;
      case Expr.Name(String name) -> ranked.contains(name);
      case Expr.NonZero32(Expr counter) -> namesRank(counter);
      case Expr.Binary(var operator, Expr left, Expr right) -> namesRank(left) || namesRank(right);
    };
  }

  RankProgram unchecked(int rank) {
    if (rank < 0 || rank >= world) {
      throw new IndexOutOfBoundsException(
          "rank out of range: rank=%d, world=%d; use 0 to %d".formatted(rank, world, world - 1));
    }
    return new RankProgram(this, rank);
  }

  /** A 128-bit digest of the form, the world and the parameter values. */
  public String digest() {
    return TextDigest.of(
        form.digest()
            + " world="
            + world
            + params.entrySet().stream()
                .map(e -> " " + e.getKey() + "=" + e.getValue())
                .collect(Collectors.joining()));
  }
}
