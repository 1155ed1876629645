package dev.oriel.domain.program.check;

import dev.oriel.domain.program.AppliedHooks;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.SignalArray;
import dev.oriel.domain.program.Space;
import dev.oriel.domain.program.check.NameScopes.Meaning;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

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
   * @throws ProgramException naming the first error
   */
  public static Form validate(Form form) {
    return validate(form, SourcePositions.none());
  }

  /**
   * Returns the form when it is well made; {@code source} has the positions of its parts.
   *
   * @throws ProgramException naming the first error, with line and column
   */
  public static Form validate(Form form, SourcePositions source) {
    FormLimits.check(form, new FormErrors(form, source));
    new FormValidator(form, source).run();
    JoinCycles.reject(form, new FormErrors(form, source));
    return form;
  }

  private void run() {
    if (!NameRules.validForm(form.name())) {
      throw complaints.fail(
          form,
          "not a form name",
          "name=" + FormErrors.shown(form.name()),
          "use at most "
              + NameRules.MAX_LENGTH
              + " letters, digits, _ and - in between, and no digit first");
    }
    for (Form.Param p : form.params()) {
      if (p.max() < 0) {
        throw complaints.fail(
            p, "negative maximum", "parameter=" + p.name() + ", max=" + p.max(), "give 0 or more");
      }
      operands.declare(p, p.name(), Meaning.BOUND);
    }
    for (Form.Definition d : form.definitions()) {
      operands.declare(d, d.name(), operands.meaning(d.value()));
    }
    Set<String> buffers = new HashSet<>();
    for (Buffer b : form.buffers()) {
      unique(b, b.name(), "buffer", buffers);
      operands.bound(b.bytes(), "the size of buffer " + b.name(), true);
      alias(b, buffers);
    }
    Set<String> signals = new HashSet<>();
    for (SignalArray s : form.signals()) {
      unique(s, s.name(), "signal", signals);
      operands.bound(s.count(), "the count of signal " + s.name(), false);
      barrier(s);
    }
    Set<String> teams = new HashSet<>();
    for (Form.Team t : form.teams()) {
      unique(t, t.name(), "team", teams);
      for (Cond.Term term : t.members().terms()) {
        operands.ofAnyRank(term.left());
        operands.ofAnyRank(term.right());
      }
    }
    Set<String> hooks = new HashSet<>();
    for (HookForm hook : AppliedHooks.of(form)) {
      unique(hook, hook.name(), "hook", hooks);
      new HookCheck(complaints, operands).declared(hook);
    }
    new PostConditionCheck(form, complaints, operands).all();
    if (form.lanes().isEmpty()) {
      throw complaints.fail(form, "no lane", "", "add a lane that does the work");
    }
    Set<String> lanes = new HashSet<>();
    for (LaneFamily lane : form.lanes()) {
      complaints.enter(lane);
      unique(lane, lane.name(), "lane", lanes);
      lane(lane);
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
      throw complaints.fail(
          s,
          "unknown team",
          "name=" + FormErrors.shown(team),
          NameResolver.known(form.teams().stream().map(Form.Team::name).toList()));
    }
  }

  private void lane(LaneFamily l) {
    engine(l);
    operands.open();
    operands.declareEpoch();
    for (LaneFamily.Index index : l.indices()) {
      operands.bound(index.count(), "the count of index " + index.name(), false);
      operands.declare(index, index.name(), Meaning.RUNNING);
    }
    for (LaneFamily.State s : l.states()) {
      operands.bound(s.step(), "the step of state " + s.name(), false);
      operands.declare(s, s.name(), Meaning.STATE);
    }
    CallCheck calls = new CallCheck(form, l, complaints, operands, homes);
    new OperationCheck(form, complaints, operands, calls).block(l.body());
    operands.close();
  }

  private void engine(LaneFamily l) {
    if (l.engine() instanceof LaneFamily.Engine.Sm(int threads, int cluster)) {
      if (threads < 32 || threads > MAX_THREADS || threads % 32 != 0) {
        throw complaints.fail(
            l,
            "thread count out of range",
            "threads=" + threads,
            "use a multiple of 32 from 32 to " + MAX_THREADS);
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
