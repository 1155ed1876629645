package dev.oriel.domain.program.check;

import dev.oriel.domain.program.AppliedHooks;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.SignalArray;
import dev.oriel.domain.program.SourcePositions;
import dev.oriel.domain.program.Space;
import dev.oriel.domain.program.check.NameScopes.Meaning;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Checks everything about a form that needs no world: names, spaces, orders, tickets, joins and
 * sizes. Errors give the place (line and column, or lane and operation), the finding and the
 * remedy.
 */
public final class FormValidator {
  static final int MAX_THREADS = 1024;

  /** The largest cluster that every GPU with clusters supports. */
  private static final int MAX_CLUSTER = 8;

  private final Form form;
  private final FormErrors complaints;
  private final NameResolver operands;
  private final Map<String, String> homes = new HashMap<>();

  private FormValidator(Form form, SourcePositions source) {
    this.form = form;
    this.complaints = new FormErrors(form, source);
    this.operands = new NameResolver(form, complaints);
  }

  /**
   * Returns the form when it is well made.
   *
   * @throws ProgramException with every error
   */
  public static Form validate(Form form) {
    return validate(form, SourcePositions.none());
  }

  /**
   * Returns the form when it is well made; {@code source} has the positions of its parts.
   *
   * @throws ProgramException with every error, and its line and column
   */
  public static Form validate(Form form, SourcePositions source) {
    FormLimits.check(form, new FormErrors(form, source));
    FormValidator validator = new FormValidator(form, source);
    validator.run();
    validator.complaints.refuse();
    JoinCycles.reject(form, new FormErrors(form, source));
    return form;
  }

  private void run() {
    each(List.of(form), this::name);
    each(form.params(), this::param);
    each(form.definitions(), this::definition);
    each(form.requirements(), this::requirement);
    Set<String> buffers = new HashSet<>();
    each(
        form.buffers(),
        b -> {
          unique(b, b.name(), "buffer", buffers);
          operands.bound(b.bytes(), "the size of buffer " + b.name(), true);
          alias(b, buffers);
        });
    Set<String> signals = new HashSet<>();
    each(
        form.signals(),
        s -> {
          unique(s, s.name(), "signal", signals);
          operands.bound(s.count(), "the count of signal " + s.name(), false);
          barrier(s);
        });
    Set<String> teams = new HashSet<>();
    each(
        form.teams(),
        t -> {
          unique(t, t.name(), "team", teams);
          for (Cond.Term term : t.members().terms()) {
            operands.ofAnyRank(term.left());
            operands.ofAnyRank(term.right());
          }
        });
    Set<String> hooks = new HashSet<>();
    each(
        AppliedHooks.of(form),
        hook -> {
          unique(hook, hook.name(), "hook", hooks);
          new HookCheck(complaints, operands).declared(hook);
        });
    new PostConditionCheck(form, complaints, operands).all();
    Set<String> lanes = new HashSet<>();
    for (LaneFamily lane : form.lanes()) {
      complaints.enter(lane);
      complaints.attempt(() -> unique(lane, lane.name(), "lane", lanes));
      operands.scoped(() -> lane(lane));
    }
    if (form.lanes().isEmpty() && complaints.isEmpty()) {
      throw complaints.fail(form, "no lane", "", "add a lane that does the work");
    }
  }

  /** Checks every part, also after a mistake in one. */
  private <T> void each(Collection<T> parts, Consumer<T> check) {
    parts.forEach(part -> complaints.attempt(() -> check.accept(part)));
  }

  private void name(Form named) {
    if (!NameRules.validForm(named.name())) {
      throw complaints.fail(
          named,
          "not a form name",
          "name=" + FormErrors.shown(named.name()),
          "use at most "
              + NameRules.MAX_LENGTH
              + " letters, digits, _ and - in between, and no digit first");
    }
  }

  private void param(Form.Param p) {
    operands.declare(p, p.name(), Meaning.BOUND);
    if (p.max() < 0) {
      throw complaints.fail(
          p, "negative maximum", "parameter=" + p.name() + ", max=" + p.max(), "give 0 or more");
    }
  }

  private void definition(Form.Definition d) {
    // A name with a wrong value is still declared, so its uses are no further mistakes.
    Meaning[] meaning = {Meaning.BOUND};
    complaints.attempt(() -> meaning[0] = operands.meaning(d.value()));
    operands.declare(d, d.name(), meaning[0]);
  }

  private void requirement(Cond condition) {
    for (Cond.Term term : condition.terms()) {
      operands.bound(term.left(), "a requirement", false);
      operands.bound(term.right(), "a requirement", false);
    }
  }

  private void alias(Buffer b, Set<String> earlier) {
    boolean sound =
        !b.isAlias()
            || form.buffer(b.of())
                .filter(base -> !base.isAlias() && base.alias(b.name()).equals(b))
                .filter(base -> base.space() == Space.WINDOW || base.space() == Space.SCRATCH)
                .filter(base -> earlier.contains(base.name()) && !base.name().equals(b.name()))
                .isPresent();
    if (!sound) {
      throw complaints.fail(
          b,
          "no memory to map twice",
          "name=" + b.name() + ", of=" + FormErrors.shown(b.of()),
          "name a window or scratch buffer declared before");
    }
  }

  private void unique(Object part, String name, String what, Set<String> earlier) {
    operands.valid(part, name);
    if (!earlier.add(name)) {
      throw complaints.fail(
          part, "duplicated " + what, "name=" + name, "give every " + what + " its own name");
    }
  }

  private void barrier(SignalArray s) {
    if (!(s.use() instanceof SignalArray.Use.Barrier(String team))) {
      return;
    }
    if (!s.count().equals(Expr.of(1))) {
      throw complaints.fail(
          s, "barrier of several slots", "name=" + s.name(), "declare several barriers");
    }
    if (!team.isEmpty() && form.team(team).isEmpty()) {
      throw complaints.unknown(
          s, "unknown team", team, "known", form.teams().stream().map(Form.Team::name).toList());
    }
  }

  private void lane(LaneFamily l) {
    complaints.attempt(() -> engine(l));
    operands.declareEpoch();
    for (LaneFamily.Index index : l.indices()) {
      complaints.attempt(
          () -> operands.bound(index.count(), "the count of index " + index.name(), false));
      complaints.attempt(() -> operands.declare(index, index.name(), Meaning.RUNNING));
    }
    for (LaneFamily.State s : l.states()) {
      complaints.attempt(() -> operands.bound(s.step(), "the step of state " + s.name(), false));
      complaints.attempt(() -> operands.declare(s, s.name(), Meaning.STATE));
    }
    CallCheck calls = new CallCheck(form, l, complaints, operands, homes);
    new OperationCheck(form, l, complaints, operands, calls).block(l.body());
  }

  private void engine(LaneFamily l) {
    if (l.engine() instanceof LaneFamily.Engine.Sm(int threads, int cluster)) {
      boolean warps = threads >= 32 && threads <= MAX_THREADS && threads % 32 == 0;
      if (threads != 1 && !warps) {
        throw complaints.fail(
            l,
            "thread count out of range",
            "threads=" + threads,
            "use 1, or a multiple of 32 from 32 to " + MAX_THREADS);
      }
      if (cluster < 1 || cluster > MAX_CLUSTER) {
        throw complaints.fail(
            l, "cluster size out of range", "blocks=" + cluster, "use 1 to " + MAX_CLUSTER);
      }
    }
    if (l.engine() instanceof LaneFamily.Engine.Nic(int queue) && queue < 0) {
      throw complaints.fail(l, "queue out of range", "queue=" + queue, "use 0 or more");
    }
  }
}
