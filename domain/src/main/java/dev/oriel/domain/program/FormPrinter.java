package dev.oriel.domain.program;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.Op.Signal.Cover;
import dev.oriel.domain.window.Comparison;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes forms, operations and operands in the text form that {@link
 * dev.oriel.domain.program.parse.FormParser} reads.
 */
public final class FormPrinter {
  private static final String INDENT = "  ";

  private final StringBuilder out = new StringBuilder();
  private final UnaryOperator<String> laneName;
  private int depth;

  private FormPrinter(UnaryOperator<String> laneName) {
    this.laneName = laneName;
  }

  /** The form as a person would write it. */
  public static String print(Form form) {
    return new FormPrinter(name -> name).form(form);
  }

  /**
   * The text from which the digest is computed: lanes are known by their position, not their name.
   */
  static String canonical(Form form) {
    return new FormPrinter(
            name -> {
              for (int i = 0; i < form.lanes().size(); i++) {
                if (form.lanes().get(i).name().equals(name)) {
                  return "lane" + i;
                }
              }
              return name;
            })
        .form(form);
  }

  /** One operation on one line, without the blocks inside it. */
  public static String head(Op op) {
    return new FormPrinter(name -> name).headOf(op);
  }

  /** An operand. */
  public static String print(Expr expr) {
    StringBuilder text = new StringBuilder();
    expr(text, expr);
    return text.toString();
  }

  /** A condition. */
  public static String print(Cond condition) {
    return cond(condition);
  }

  /** A region without its length. */
  public static String print(Region region) {
    return region(region);
  }

  /** One source, or a run of them. */
  public static String print(SourceSeries series) {
    return series.single()
        ? region(series.region())
        : "for "
            + series.variable()
            + " < "
            + print(series.count())
            + ": "
            + region(series.region());
  }

  /** A slot with its peers. */
  public static String print(Slot slot) {
    return slot(slot);
  }

  private String form(Form form) {
    line("form " + form.name());
    for (Form.Param p : form.params()) {
      line("param " + p.name() + " <= " + p.max());
    }
    for (Form.Definition d : form.definitions()) {
      line("let " + d.name() + " = " + print(d.value()));
    }
    for (Cond c : form.requirements()) {
      line("require " + print(c));
    }
    for (Buffer b : form.buffers()) {
      line(
          b.isAlias()
              ? "alias " + b.name() + " of " + b.of()
              : b.space().spelling() + " " + b.name() + "[" + print(b.bytes()) + "]");
    }
    for (SignalArray s : form.signals()) {
      line(array(s));
    }
    for (Form.Team t : form.teams()) {
      line("team " + t.name() + " = " + print(t.members()));
    }
    for (HookForm h : AppliedHooks.of(form)) {
      line(h.text());
    }
    for (Ensure e : form.ensures()) {
      line(ensure(e));
    }
    for (LaneFamily lane : form.lanes()) {
      lane(lane);
    }
    return out.toString();
  }

  private static String array(SignalArray s) {
    return switch (s.use()) {
      case SignalArray.Use.Slots() -> "signal " + s.name() + "[" + print(s.count()) + "]";
      case SignalArray.Use.Barrier(String team) ->
          "barrier " + s.name() + (team.isEmpty() ? "" : " of " + team);
    };
  }

  private static String ensure(Ensure e) {
    String given =
        Stream.concat(
                e.given().stream().map(FormPrinter::given),
                e.when().stream().map(FormPrinter::print))
            .collect(Collectors.joining(", "));
    return "ensure "
        + (given.isEmpty() ? "" : given + ": ")
        + region(e.actual())
        + " = "
        + made(e.combine(), e.grouping(), e.expected())
        + " bytes "
        + print(e.bytes());
  }

  /** The condition of a post-condition. */
  public static String print(Ensure.When when) {
    return "if " + region(when.word()) + " " + print(when.comparison()) + " " + print(when.value());
  }

  private static String given(EnsureBinder given) {
    return switch (given) {
      case EnsureBinder.Rank(String name, Peers over) -> "each " + name + " in " + set(over);
      case EnsureBinder.Turn(String name, Expr count) -> "for " + name + " < " + print(count);
      case EnsureBinder.Word(String name, Region word, int width, Expr most) ->
          "load " + name + " <- " + region(word) + width(width) + " <= " + print(most);
    };
  }

  private void lane(LaneFamily lane) {
    StringBuilder head = new StringBuilder("lane ").append(laneName.apply(lane.name()));
    if (!lane.indices().isEmpty()) {
      List<String> indices =
          lane.indices().stream().map(i -> i.name() + " < " + print(i.count())).toList();
      head.append('(').append(String.join(", ", indices)).append(')');
    }
    head.append(": ").append(engine(lane.engine())).append(" {");
    line(head.toString());
    depth++;
    for (LaneFamily.State s : lane.states()) {
      line("state " + s.name() + " step " + print(s.step()));
    }
    block(lane.body());
    depth--;
    line("}");
  }

  private static String engine(LaneFamily.Engine engine) {
    return switch (engine) {
      case LaneFamily.Engine.Sm(int threads, int cluster) ->
          "sm(" + threads + ")" + (cluster == 1 ? "" : " cluster(" + cluster + ")");
      case LaneFamily.Engine.Copy() -> "copy";
      case LaneFamily.Engine.Host() -> "host";
      case LaneFamily.Engine.Nic(int queue) -> "nic(" + queue + ")";
    };
  }

  private void block(List<Op> ops) {
    for (Op op : ops) {
      switch (op) {
        case Op.If(var condition, var then, var otherwise) -> {
          nested(headOf(op), then);
          if (!otherwise.isEmpty()) {
            out.setLength(out.length() - 1);
            out.append(" else {\n");
            depth++;
            block(otherwise);
            depth--;
            line("}");
          }
        }
        case Op.For(var variable, var count, var body) -> nested(headOf(op), body);
        case Op.Each(var variable, var peers, var body) -> nested(headOf(op), body);
        case Op.Leader(var body) -> nested(headOf(op), body);
        default -> line(headOf(op));
      }
    }
  }

  private void nested(String head, List<Op> body) {
    line(head + " {");
    depth++;
    block(body);
    depth--;
    line("}");
  }

  private String headOf(Op op) {
    return switch (op) {
      case Op.Move m -> move(m);
      case Op.Signal s -> signal(s);
      case Op.Await a -> await(a);
      case Op.AwaitTicket(var ticket) -> "await ticket " + ticket;
      case Op.Flush(var peers, var reach) ->
          "flush " + set(peers) + " " + reach.name().toLowerCase(Locale.ROOT);
      case Op.Sync() -> "sync";
      case Op.Join(var lane) -> "join " + laneName.apply(lane);
      case Op.Load(var register, var word, int width, var bound) ->
          "load "
              + register
              + " <- "
              + region(word)
              + width(width)
              + bound.map(b -> " <= " + print(b.max()) + " else " + b.code()).orElse("");
      case Op.Let(var register, var value) -> "let " + register + " = " + print(value);
      case Op.Assign(var state, var value) -> "set " + state + " = " + print(value);
      case Op.Store(var word, int width, var value) ->
          "store " + region(word) + width(width) + " <- " + print(value);
      case Op.Check(var condition, var code) -> "check " + cond(condition) + " else " + code;
      case Op.If(var condition, var then, var otherwise) -> "if " + cond(condition);
      case Op.For(var variable, var count, var body) -> "for " + variable + " < " + print(count);
      case Op.Each(var variable, var peers, var body) -> "each " + variable + " in " + set(peers);
      case Op.Leader _ -> "thread0";
      case Call c -> CallPrinter.print(c);
    };
  }

  private static String width(int width) {
    return width == Long.BYTES ? "" : " width " + width;
  }

  private static String move(Op.Move m) {
    String label = m.ticket().isEmpty() ? "" : m.ticket() + ": ";
    return "move "
        + label
        + regions(m.destinations())
        + " <- "
        + made(m.combine(), Grouping.AT_ONCE, m.sources())
        + " bytes "
        + print(m.bytes());
  }

  private static String made(Combine combine, Grouping grouping, List<SourceSeries> sources) {
    String text = String.join(", ", sources.stream().map(FormPrinter::print).toList());
    return switch (combine) {
      case Combine.Copy() -> text;
      case Combine.Apply(HookForm hook, HookOperands operands) ->
          hook.name() + " (" + text + operands.text() + ")";
      case Combine.Reduce(var op, var type, var accumulator) -> {
        String steps = grouping instanceof Grouping.AtOnce ? "" : Grouping.spelling(grouping) + " ";
        yield lower(op)
            + " "
            + lower(type)
            + " in "
            + lower(accumulator)
            + " "
            + steps
            + "("
            + text
            + ")";
      }
    };
  }

  private static String signal(Op.Signal s) {
    StringBuilder text = new StringBuilder("signal ").append(slot(s.slot()));
    text.append(' ').append(lower(s.change())).append(' ').append(print(s.value()));
    text.append(' ').append(s.order().spelling());
    if (s.scope() != Scope.SYS) {
      text.append(' ').append(s.scope().spelling());
    }
    if (s.cover() instanceof Cover.OneMove(String ticket)) {
      text.append(" cover ").append(ticket);
    }
    return text.toString();
  }

  private static String await(Op.Await a) {
    StringBuilder text = new StringBuilder("await ");
    if (a.quantifier() == Op.Await.Quantifier.SUM) {
      text.append("sum ");
    }
    text.append(slot(a.slot())).append(' ').append(print(a.comparison()));
    text.append(' ').append(print(a.value())).append(' ').append(a.order().spelling());
    if (a.scope() != Scope.SYS) {
      text.append(' ').append(a.scope().spelling());
    }
    return text.toString();
  }

  private static String slot(Slot s) {
    return s.signal() + "[" + print(s.index()) + "]" + at(s.at());
  }

  private static String regions(List<Region> regions) {
    return String.join(", ", regions.stream().map(FormPrinter::region).toList());
  }

  private static String region(Region g) {
    String place = g.buffer() + at(g.at()) + "[" + print(g.offset()) + "]";
    return g.access() instanceof Access.Packets(PacketFormat format, Expr flag)
        ? place + " " + format.spelling() + "(" + print(flag) + ")"
        : place;
  }

  private static String at(Peers peers) {
    return switch (peers) {
      case Peers.Self() -> "";
      case Peers.One(Expr.Name(String name)) -> "@" + name;
      case Peers.One(Expr rank) -> "@(" + print(rank) + ")";
      default -> "@" + set(peers);
    };
  }

  private static String set(Peers peers) {
    return switch (peers) {
      case Peers.Self() -> "self";
      case Peers.One one -> at(one);
      case Peers.Others() -> "peers";
      case Peers.All() -> "all";
    };
  }

  private static String cond(Cond condition) {
    return String.join(
        " and ",
        condition.terms().stream()
            .map(t -> print(t.left()) + " " + print(t.comparison()) + " " + print(t.right()))
            .toList());
  }

  /** The condition of a read that waits, as it follows the read's order. */
  public static String print(Call.Until until) {
    return "until "
        + print(until.comparison())
        + " "
        + print(until.value())
        + " within "
        + TimeUnits.print(until.nanoseconds());
  }

  /** The spelling of a comparison in the text form. */
  public static String print(Comparison comparison) {
    return switch (comparison) {
      case EQ -> "==";
      case NE -> "!=";
      case LT -> "<";
      case LE -> "<=";
      case GT -> ">";
      case GE -> ">=";
      case REACHED -> "reached";
    };
  }

  /** The spelling of a type, an operator or a change in the text form. */
  public static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static void expr(StringBuilder text, Expr expr) {
    switch (expr) {
      case Expr.Const(long value) -> text.append(value);
      case Expr.Name(String name) -> text.append(name);
      case Expr.NonZero32(Expr counter) -> {
        text.append("nz32(");
        expr(text, counter);
        text.append(')');
      }
      case Expr.Binary(Operator op, Expr left, Expr right) when op.infix() -> {
        operand(text, left, op.precedence());
        text.append(' ').append(op.spelling()).append(' ');
        operand(text, right, op.precedence() + 1);
      }
      case Expr.Binary(Operator op, Expr left, Expr right) -> {
        text.append(op.spelling()).append('(');
        expr(text, left);
        text.append(", ");
        expr(text, right);
        text.append(')');
      }
    }
  }

  private static void operand(StringBuilder text, Expr expr, int atLeast) {
    boolean parenthesised =
        expr instanceof Expr.Binary(Operator op, Expr left, Expr right)
            && op.infix()
            && op.precedence() < atLeast;
    text.append(parenthesised ? "(" : "");
    expr(text, expr);
    text.append(parenthesised ? ")" : "");
  }

  private void line(String text) {
    out.append(INDENT.repeat(depth)).append(text).append('\n');
  }
}
