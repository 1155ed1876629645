package dev.oriel.domain.rewrite;

import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.EnsureBinder;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.MapForm;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.SignalArray;
import dev.oriel.domain.program.SourceSeries;
import dev.oriel.domain.program.Space;
import dev.oriel.domain.program.check.FormValidator;
import dev.oriel.domain.window.Comparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Forms in which a parameter may have another value in each launch, the same on all ranks, while
 * memory and signals stay. A word of a uniform input says which value a launch has. Each lane reads
 * it first, and then does what the program does with that value; a post-condition promises what
 * belongs to it. Buffers and signals are as large as the largest value needs.
 *
 * <p>A program that is correct with each value may be wrong here: a slot that the last launch left
 * in use may be another one than this launch expects. The result is an ordinary form.
 */
public final class ParameterByLaunch {
  /** The most values; each makes a copy of every lane. */
  public static final int MOST = 8;

  /** A lane that reads no value fails with it; it cannot, since the caller keeps the bound. */
  private static final int NO_VALUE = 1;

  private final Form form;
  private final String param;
  private final List<Long> values;
  private final String chosen;

  /** The parameter, and the definitions that depend on it. */
  private final Set<String> dependent = new TreeSet<>();

  private ParameterByLaunch(Form form, String param, List<Long> values) {
    this.form = form;
    this.param = param;
    this.values = values;
    chosen = param + "_chosen";
    dependent.add(param);
    for (Form.Definition d : form.definitions()) {
      if (depends(d.value())) {
        dependent.add(d.name());
      }
    }
  }

  /** The origins of the parts of {@link #of}. */
  public static FormOrigins origins(Form form, String param, List<Long> values) {
    ParameterByLaunch change =
        new ParameterByLaunch(form, param, List.copyOf(new TreeSet<>(values)));
    Map<String, List<Integer>> operations = new TreeMap<>();
    form.lanes().forEach(lane -> operations.put(lane.name(), change.origins(lane)));
    List<Integer> ensures = new ArrayList<>();
    for (int i = 0; i < form.ensures().size(); i++) {
      int number = i;
      change.perValue(change.depends(form.ensures().get(i)), _ -> number).forEach(ensures::add);
    }
    return new FormOrigins(operations, ensures);
  }

  private List<Integer> origins(LaneFamily lane) {
    List<Integer> own = IntStream.range(0, FormOrigins.size(lane.body())).boxed().toList();
    if (!depends(lane)) {
      return own;
    }
    boolean grows = lane.indices().stream().anyMatch(i -> depends(i.count()));
    List<Integer> all = new ArrayList<>();
    all.add(FormOrigins.ADDED);
    for (int i = 0; i < values.size(); i++) {
      if (i < values.size() - 1) {
        all.add(FormOrigins.ADDED);
      }
      if (grows) {
        all.add(FormOrigins.ADDED);
      }
      all.addAll(own);
    }
    return List.copyOf(all);
  }

  /**
   * The form in which each launch has one of those values of the parameter.
   *
   * @throws ProgramException if it has no such parameter, the values are not two or more different
   *     ones that it may have, or a part that every launch shares depends on it
   */
  public static Form of(Form form, String param, List<Long> values) {
    Form.Param declared =
        form.params().stream()
            .filter(p -> p.name().equals(param))
            .findFirst()
            .orElseThrow(() ->
                new ProgramException(
                    "no such parameter: name=%s, program=%s; known: %s"
                        .formatted(
                            param,
                            form.name(),
                            form.params().stream()
                                .map(Form.Param::name)
                                .collect(Collectors.joining(", ")))));
    List<Long> sorted = List.copyOf(new TreeSet<>(values));
    if (sorted.size() < 2 || sorted.size() > MOST) {
      throw new ProgramException(
          "number of values out of range: parameter=%s, values=%d, min=2, max=%d; give different values"
              .formatted(param, sorted.size(), MOST));
    }
    if (sorted.getFirst() < 0 || sorted.getLast() > declared.max()) {
      throw new ProgramException(
          "value out of range: parameter=%s, values=%s, min=0, max=%d; give values in between"
              .formatted(param, sorted, declared.max()));
    }
    return new ParameterByLaunch(form, param, sorted).made();
  }

  private Form made() {
    form.teams().forEach(team -> requireShared(depends(team.members()), "team " + team.name()));
    for (LaneFamily lane : form.lanes()) {
      lane.states().forEach(s -> requireShared(depends(s.step()), "state " + s.name()));
    }
    List<Buffer> buffers = new ArrayList<>();
    for (Buffer b : form.buffers()) {
      buffers.add(new Buffer(b.space(), b.name(), most(b.bytes()), b.of()));
    }
    buffers.add(new Buffer(Space.UNIFORM, word(), Expr.of(Long.BYTES)));
    Form changed =
        new Form(
            form.name() + "-" + param + "-by-launch",
            form.params().stream().filter(p -> !p.name().equals(param)).toList(),
            form.definitions().stream()
                .flatMap(d ->
                    perValue(
                        depends(d.value()),
                        i -> new Form.Definition(definition(d.name(), i), at(d.value(), i))))
                .toList(),
            form.requirements().stream()
                .flatMap(c -> perValue(depends(c), i -> condition(c, i)))
                .toList(),
            buffers,
            form.signals().stream()
                .map(s -> new SignalArray(s.name(), most(s.count()), s.use()))
                .toList(),
            form.teams(),
            form.ensures().stream().flatMap(e -> perValue(depends(e), i -> ensure(e, i))).toList(),
            form.lanes().stream().map(this::lane).toList());
    return FormValidator.validate(changed);
  }

  private String word() {
    return param + "_of_launch";
  }

  private void requireShared(boolean depends, String part) {
    if (depends) {
      throw new ProgramException(
          "parameter cannot differ between launches: parameter=%s, program=%s, part=%s; all launches share that part"
              .formatted(param, form.name(), part));
    }
  }

  /** One for each value if it depends on the parameter; otherwise what it is for any of them. */
  private <T> Stream<T> perValue(boolean depends, IntFunction<T> of) {
    return depends ? IntStream.range(0, values.size()).mapToObj(of) : Stream.of(of.apply(0));
  }

  private boolean depends(Expr expr) {
    return dependent.stream().anyMatch(name -> ExprEdits.uses(expr, name));
  }

  private boolean depends(Cond condition) {
    return condition.terms().stream().anyMatch(t -> depends(t.left()) || depends(t.right()));
  }

  private boolean depends(Ensure e) {
    return !ensure(e, 0, e.bytes()).equals(e) || depends(e.bytes());
  }

  private boolean depends(LaneFamily lane) {
    return lane.indices().stream().anyMatch(i -> depends(i.count()))
        || !body(lane.body(), 0).equals(lane.body());
  }

  private Expr at(Expr expr, int value) {
    Expr changed = expr;
    for (String name : dependent) {
      Expr by =
          name.equals(param) ? Expr.of(values.get(value)) : Expr.name(definition(name, value));
      changed = ExprEdits.substitute(changed, name, by);
    }
    return changed.equals(expr) ? expr : ExprEdits.folded(changed);
  }

  private String definition(String name, int value) {
    return dependent.contains(name) ? name + "_at_" + values.get(value) : name;
  }

  /** The largest that the operand is for any value. */
  private Expr most(Expr expr) {
    return perValue(depends(expr), i -> at(expr, i))
        .reduce((a, b) -> ExprEdits.folded(Expr.max(a, b)))
        .orElseThrow();
  }

  private Cond condition(Cond condition, int value) {
    return new Cond(
        condition.terms().stream()
            .map(t -> new Cond.Term(at(t.left(), value), t.comparison(), at(t.right(), value)))
            .toList());
  }

  /** The post-condition of launches with that value: of no bytes in others. */
  private Ensure ensure(Ensure e, int value) {
    if (!depends(e)) {
      return e;
    }
    Expr other = Expr.min(Expr.name(chosen).xor(Expr.of(value)), Expr.of(1));
    Ensure of = ensure(e, value, at(e.bytes(), value).times(Expr.of(1).minus(other)));
    List<EnsureBinder> given = new ArrayList<>();
    given.add(
        new EnsureBinder.Word(
            chosen, Region.of(word(), Expr.of(0)), Long.BYTES, Expr.of(values.size() - 1L)));
    given.addAll(of.given());
    return new Ensure(
        given, of.when(), of.actual(), of.combine(), of.grouping(), of.expected(), of.bytes());
  }

  private Ensure ensure(Ensure e, int value, Expr bytes) {
    return new Ensure(
        e.given().stream().map(g -> binder(g, value)).toList(),
        e.when()
            .map(w ->
                new Ensure.When(region(w.word(), value), w.comparison(), at(w.value(), value))),
        region(e.actual(), value),
        combine(e.combine(), value),
        e.grouping(),
        e.expected().stream()
            .map(s ->
                new SourceSeries(s.variable(), at(s.count(), value), region(s.region(), value)))
            .toList(),
        bytes);
  }

  private EnsureBinder binder(EnsureBinder given, int value) {
    return switch (given) {
      case EnsureBinder.Rank(String name, Peers over) ->
          new EnsureBinder.Rank(name, peers(over, value));
      case EnsureBinder.Turn(String name, Expr count) ->
          new EnsureBinder.Turn(name, at(count, value));
      case EnsureBinder.Word(String name, Region word, int width, Expr most) ->
          new EnsureBinder.Word(name, region(word, value), width, at(most, value));
    };
  }

  private Region region(Region g, int value) {
    return new Region(g.buffer(), peers(g.at(), value), at(g.offset(), value), g.access());
  }

  private Peers peers(Peers peers, int value) {
    return peers instanceof Peers.One(Expr rank) ? Peers.one(at(rank, value)) : peers;
  }

  /** A hook whose maps depend on the parameter has a copy of its own for each value. */
  private Combine combine(Combine combine, int value) {
    if (!(combine instanceof Combine.Apply(HookForm hook, var operands))) {
      return combine;
    }
    UnaryOperator<Expr> number = e -> at(e, value);
    List<HookForm.Source> sources =
        hook.sources().stream()
            .map(s -> new HookForm.Source(s.type(), s.map().with(number)))
            .toList();
    MapForm target = hook.target().with(number);
    boolean same = sources.equals(hook.sources()) && target.equals(hook.target());
    String name = same ? hook.name() : hook.name() + "_" + values.get(value);
    return new Combine.Apply(
        new HookForm(name, sources, hook.result(), target, hook.value()), operands.with(number));
  }

  private LaneFamily lane(LaneFamily lane) {
    if (!depends(lane)) {
      return lane;
    }
    List<Op> choice = guarded(lane, values.size() - 1);
    for (int i = values.size() - 2; i >= 0; i--) {
      Cond here = Cond.of(Expr.name(chosen), Comparison.EQ, Expr.of(i));
      choice = List.of(new Op.If(here, guarded(lane, i), choice));
    }
    List<Op> body = new ArrayList<>();
    body.add(
        new Op.Load(chosen, Region.of(word(), Expr.of(0)), Expr.of(values.size() - 1L), NO_VALUE));
    body.addAll(choice);
    List<LaneFamily.Index> indices =
        lane.indices().stream().map(i -> new LaneFamily.Index(i.name(), most(i.count()))).toList();
    return FormEdits.withBody(FormEdits.withIndices(lane, indices), body);
  }

  /** What the lane does with that value; nothing if there would be fewer such lanes. */
  private List<Op> guarded(LaneFamily lane, int value) {
    List<Op> body = body(lane.body(), value);
    List<Cond.Term> there =
        lane.indices().stream()
            .filter(i -> depends(i.count()))
            .map(i -> new Cond.Term(Expr.name(i.name()), Comparison.LT, at(i.count(), value)))
            .toList();
    return there.isEmpty() ? body : List.of(new Op.If(new Cond(there), body, List.of()));
  }

  private List<Op> body(List<Op> ops, int value) {
    return PartTraversal.everywhere(
            ops,
            new OperationRewrite() {
              @Override
              public <T> T part(OperationPart<T> part, T each) {
                return each instanceof Expr expr ? part.type().cast(at(expr, value)) : each;
              }
            })
        .stream()
        .map(op -> hooked(op, value))
        .toList();
  }

  private Op hooked(Op op, int value) {
    if (op instanceof Op.Move m) {
      return new Op.Move(
          m.ticket(), m.destinations(), combine(m.combine(), value), m.sources(), m.bytes());
    }
    return PartTraversal.rewrite(
        op,
        new OperationRewrite() {
          @Override
          public List<Op> block(List<Op> inner) {
            return inner.stream().map(each -> hooked(each, value)).toList();
          }
        });
  }
}
