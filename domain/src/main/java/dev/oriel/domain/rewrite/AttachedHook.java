package dev.oriel.domain.rewrite;

import dev.oriel.domain.hook.BinaryOp;
import dev.oriel.domain.hook.ContextField;
import dev.oriel.domain.hook.HookExpr;
import dev.oriel.domain.naming.NearestName;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.EnsureBinder;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.HookOperands;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.MapForm;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Operator;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.SourceSeries;
import dev.oriel.domain.program.Space;
import dev.oriel.domain.program.check.FormValidator;
import dev.oriel.domain.window.Comparison;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A hook put on a program that knows nothing of it: on each element that leaves an input, or on
 * each that arrives in an output. The program keeps its schedule. Its post-conditions promise the
 * results of the hook.
 *
 * <p>The result must not depend on the schedule. So the hook maps element i to element i, both of
 * the same width. Its {@code i} is the element's place in the buffer, and its {@code rank} the
 * buffer's owner. Each element passes the hook exactly once, or the program is refused: where it
 * reads the input in a reduction, say, or forwards from its output.
 */
public final class AttachedHook {
  /** The end of the program at which the hook is. */
  private enum End {
    INPUT(Space.INPUT),
    OUTPUT(Space.OUTPUT);

    private final Space space;

    End(Space space) {
      this.space = space;
    }
  }

  private final Form form;
  private final End end;
  private final Buffer buffer;
  private final HookForm hook;
  private final List<Buffer> further;

  private AttachedHook(Form form, End end, Buffer buffer, HookForm hook) {
    this.form = form;
    this.end = end;
    this.buffer = buffer;
    this.hook = hook;
    further =
        Stream.iterate(1, source -> source < hook.sources().size(), source -> source + 1)
            .map(source -> new Buffer(Space.INPUT, hook.name() + "_in" + source, buffer.bytes()))
            .toList();
  }

  /**
   * The program with the hook on each element that leaves that input. A further source of the hook,
   * such as {@code in1}, becomes an input of its own, {@code HOOK_in1}, as large as the first.
   *
   * @throws ProgramException with the reason if the hook or the program does not allow it
   */
  public static Form onInput(Form form, String buffer, HookForm hook) {
    return new AttachedHook(form, End.INPUT, buffer(form, End.INPUT, buffer), hook).attached();
  }

  /**
   * The program with the hook on each element that arrives in that output. The hook has one source.
   *
   * @throws ProgramException with the reason if the hook or the program does not allow it
   */
  public static Form onOutput(Form form, String buffer, HookForm hook) {
    return new AttachedHook(form, End.OUTPUT, buffer(form, End.OUTPUT, buffer), hook).attached();
  }

  private static Buffer buffer(Form form, End end, String name) {
    List<String> known =
        form.buffers().stream().filter(b -> b.space() == end.space).map(Buffer::name).toList();
    return form.buffer(name)
        .filter(b -> b.space() == end.space)
        .orElseThrow(() ->
            new ProgramException(
                "no such %s: program=%s, name=%s; %sknown: %s"
                    .formatted(
                        end.space.spelling(),
                        form.name(),
                        name,
                        NearestName.question(name, known),
                        known.isEmpty() ? "none" : String.join(", ", known))));
  }

  private Form attached() {
    requireElementwise();
    List<Buffer> buffers = new ArrayList<>(form.buffers());
    buffers.addAll(further);
    List<Cond> requirements = new ArrayList<>(form.requirements());
    List<Ensure> ensures = new ArrayList<>();
    for (Ensure ensure : form.ensures()) {
      Ensure changed = ensure(ensure);
      ensures.add(changed);
      if (!changed.equals(ensure)) {
        wholeElements(ensure)
            .filter(whole -> hook.result().bytes() > 1 && !requirements.contains(whole))
            .ifPresent(requirements::add);
      }
    }
    Form hooked =
        new Form(
            form.name(),
            form.params(),
            form.definitions(),
            requirements,
            buffers,
            form.signals(),
            form.teams(),
            ensures,
            form.lanes().stream().map(this::lane).toList());
    if (hooked.lanes().equals(form.lanes())) {
      throw refused("no move", "there is nothing to hook; name another buffer");
    }
    return FormValidator.validate(hooked);
  }

  private void requireElementwise() {
    int width = hook.result().bytes();
    boolean alike =
        !hook.scatters()
            && hook.sources().stream()
                .allMatch(s -> s.map().equals(MapForm.identity()) && s.type().bytes() == width);
    if (!alike) {
      throw unfit("give all elements one width, and leave out maps");
    }
    if (!hook.asked().isEmpty() || reads(HookExpr.field(ContextField.COUNT))) {
      throw unfit(
          "read i, rank and world alone; %s depend on the schedule"
              .formatted("count, " + HookOperands.names("and")));
    }
    if (end == End.OUTPUT && hook.sources().size() > 1) {
      throw unfit("read one source, or attach it to the input");
    }
  }

  private boolean reads(HookExpr wanted) {
    return reads(hook.value(), wanted);
  }

  private static boolean reads(HookExpr part, HookExpr wanted) {
    return part.equals(wanted)
        || part.operands().stream().anyMatch(operand -> reads(operand, wanted));
  }

  private ProgramException unfit(String remedy) {
    return new ProgramException(
        "hook cannot be attached: hook=%s; %s".formatted(hook.text(), remedy));
  }

  private ProgramException refused(String operation, String remedy) {
    return new ProgramException(
        "hook cannot be attached: program=%s, %s=%s, operation=%s; %s"
            .formatted(form.name(), end.space.spelling(), buffer.name(), operation, remedy));
  }

  private LaneFamily lane(LaneFamily lane) {
    List<Op> body = block(lane.body());
    if (!body.equals(lane.body()) && !(lane.engine() instanceof LaneFamily.Engine.Sm)) {
      throw refused(
          "a move of lane " + lane.name(), "only lanes on an SM compute; use another algorithm");
    }
    return FormEdits.withBody(lane, body);
  }

  private List<Op> block(List<Op> ops) {
    return ops.stream().map(op -> op instanceof Op.Move move ? move(move) : other(op)).toList();
  }

  /** The operation with the moves inside it changed; it must not access the buffer itself. */
  private Op other(Op op) {
    if (Stream.concat(
            PartTraversal.all(op, OperationPart.SOURCE).stream(),
            PartTraversal.all(op, OperationPart.DESTINATION).stream())
        .anyMatch(this::mine)) {
      throw refused(FormPrinter.head(op), "only moves apply hooks; use another algorithm");
    }
    return PartTraversal.rewrite(
        op,
        new OperationRewrite() {
          @Override
          public List<Op> block(List<Op> inner) {
            return AttachedHook.this.block(inner);
          }
        });
  }

  private boolean mine(Region region) {
    return form.base(region.buffer()).equals(buffer.name());
  }

  private Op move(Op.Move move) {
    List<Region> from = move.sources().stream().map(SourceSeries::region).toList();
    List<Region> hooked = end == End.INPUT ? from : move.destinations();
    List<Region> other = end == End.INPUT ? move.destinations() : from;
    if (other.stream().anyMatch(this::mine)) {
      throw refused(
          FormPrinter.head(move),
          end == End.INPUT
              ? "it writes the input; use another algorithm"
              : "it reads what has passed the hook; use another algorithm, or attach it to the input");
    }
    if (hooked.stream().noneMatch(this::mine)) {
      return move;
    }
    if (!hooked.stream().allMatch(this::mine)) {
      throw refused(
          FormPrinter.head(move), "it also has other regions there; use another algorithm");
    }
    return new Op.Move(
        move.ticket(),
        move.destinations(),
        combine(move.combine(), hooked, FormPrinter.head(move)),
        sources(move.sources()),
        move.bytes());
  }

  private Ensure ensure(Ensure ensure) {
    for (EnsureBinder given : ensure.given()) {
      if (given instanceof EnsureBinder.Word word && mine(word.word())) {
        throw refused("ensure", "it depends on words of that buffer; attach the hook to another");
      }
    }
    if (ensure.when().filter(when -> mine(when.word())).isPresent()) {
      throw refused("ensure", "it depends on words of that buffer; attach the hook to another");
    }
    List<Region> hooked =
        end == End.INPUT
            ? ensure.expected().stream().map(SourceSeries::region).toList()
            : List.of(ensure.actual());
    if (hooked.stream().noneMatch(this::mine)) {
      return ensure;
    }
    return new Ensure(
        ensure.given(),
        ensure.when(),
        ensure.actual(),
        combine(ensure.combine(), hooked, "ensure"),
        ensure.grouping(),
        sources(ensure.expected()),
        ensure.bytes());
  }

  /** The sources, and those of the hook's own inputs at the same places. */
  private List<SourceSeries> sources(List<SourceSeries> sources) {
    if (end == End.OUTPUT || further.isEmpty()) {
      return sources;
    }
    Region first = sources.getFirst().region();
    List<SourceSeries> all = new ArrayList<>(sources);
    further.forEach(b ->
        all.add(SourceSeries.of(new Region(b.name(), first.at(), first.offset(), first.access()))));
    return all;
  }

  /** The hook in place of a copy, or after a hook that is applied already. */
  private Combine combine(Combine combine, List<Region> hooked, String operation) {
    Map<ContextField, Expr> fields = new EnumMap<>(ContextField.class);
    if (reads(HookExpr.field(ContextField.RANK))) {
      fields.put(ContextField.PEER, owner(hooked, operation));
    }
    if (reads(HookExpr.index())) {
      fields.put(ContextField.TILE, element(hooked, operation));
    }
    return switch (combine) {
      case Combine.Copy _ -> new Combine.Apply(placed(), new HookOperands(fields));
      case Combine.Apply first when end == End.OUTPUT -> after(first, fields, operation);
      case Combine.Apply _ ->
          throw refused(
              operation, "it has a hook already; write both as one in a text of your own");
      case Combine.Reduce _ ->
          throw refused(
              operation, "it reduces; write a program of your own with the hook before or after");
    };
  }

  /** The hook that takes the owner as a peer, and the first element of a move as a tile. */
  private HookForm placed() {
    HookExpr value =
        hook.value()
            .replace(part ->
                switch (part) {
                  case HookExpr.Field(ContextField f) when f == ContextField.RANK ->
                      HookExpr.field(ContextField.PEER);
                  case HookExpr.Index here ->
                      here.with(BinaryOp.ADD, HookExpr.field(ContextField.TILE));
                  default -> part;
                });
    return new HookForm(hook.name(), hook.sources(), hook.result(), hook.target(), value);
  }

  private Combine after(Combine.Apply first, Map<ContextField, Expr> fields, String operation) {
    HookForm before = first.hook();
    if (before.scatters() || before.result() != hook.sources().getFirst().type()) {
      throw refused(
          operation, "it has another hook with a map or of another type; write both as one");
    }
    Map<ContextField, Expr> both = new EnumMap<>(fields);
    first
        .operands()
        .fields()
        .forEach((field, value) -> {
          Expr own = both.putIfAbsent(field, value);
          if (own != null && !own.equals(value)) {
            throw refused(
                operation, "both hooks read i or rank, of different buffers; write both as one");
          }
        });
    HookExpr value =
        placed().value().replace(part -> part instanceof HookExpr.In ? before.value() : part);
    return new Combine.Apply(
        new HookForm(
            before.name() + "_" + hook.name(),
            before.sources(),
            hook.result(),
            before.target(),
            value),
        new HookOperands(both));
  }

  private Expr owner(List<Region> regions, String operation) {
    Peers at = regions.getFirst().at();
    if (regions.size() > 1) {
      throw refused(operation, "it has several regions; do not read rank");
    }
    return switch (at) {
      case Peers.Self _ -> Expr.rank();
      case Peers.One(Expr rank) -> rank;
      case Peers.Others _, Peers.All _ ->
          throw refused(operation, "it writes several ranks at once; do not read rank");
    };
  }

  private Expr element(List<Region> regions, String operation) {
    Expr offset = regions.getFirst().offset();
    if (!regions.stream().allMatch(region -> region.offset().equals(offset))) {
      throw refused(operation, "it has several offsets; do not read i");
    }
    return new Expr.Binary(Operator.DIV, offset, Expr.of(hook.result().bytes()));
  }

  /**
   * That a post-condition has whole elements. Empty if only a rank or a word knows how many:
   * binding then decides for each size.
   */
  private Optional<Cond> wholeElements(Ensure ensure) {
    return known(ensure.bytes())
        ? Optional.of(
            Cond.of(
                new Expr.Binary(Operator.MOD, ensure.bytes(), Expr.of(hook.result().bytes())),
                Comparison.EQ,
                Expr.of(0)))
        : Optional.empty();
  }

  private boolean known(Expr value) {
    return switch (value) {
      case Expr.Const _ -> true;
      case Expr.Name(String name) ->
          name.equals("n") || form.params().stream().anyMatch(p -> p.name().equals(name));
      case Expr.NonZero32(Expr counter) -> known(counter);
      case Expr.Binary(Operator _, Expr left, Expr right) -> known(left) && known(right);
    };
  }
}
