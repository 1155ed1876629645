package dev.oriel.domain.program.parse;

import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.EnsureBinder;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Grouping;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.SignalArray;
import dev.oriel.domain.program.SourceSeries;
import dev.oriel.domain.program.Space;
import dev.oriel.domain.program.TextPosition;
import dev.oriel.domain.program.check.FormValidator;
import dev.oriel.domain.program.check.SourcePositions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reads the text form of a program. Newlines have no meaning; every operation starts with its own
 * word. Hostile texts are bounded in size, nesting and number of operations.
 *
 * <p>The result is validated: an error gives line and column, the word found and the words allowed.
 */
public final class FormParser {
  static final int MAX_TEXT = 1 << 20;

  /** The words that may introduce a post-condition. */
  private static final List<String> GIVEN = List.of("each", "for", "load");

  private final TokenCursor tokens;
  private final SourcePositions source = new SourcePositions();
  private final ExprParser exprs;
  private final PlaceParser places;
  private final ReductionParser reductions;
  private final OperationParser operations;
  private final HookFormParser hooks;

  private FormParser(String text) {
    tokens = new TokenCursor(FormLexer.tokens(text));
    exprs = new ExprParser(tokens, source);
    places = new PlaceParser(tokens, source, exprs);
    hooks = new HookFormParser(tokens, exprs);
    reductions = new ReductionParser(tokens, exprs, places, hooks);
    operations = new OperationParser(tokens, source, exprs, places, reductions);
  }

  /**
   * The form that the text describes.
   *
   * @throws ProgramException naming line and column of the first error
   */
  public static Form parse(String text) {
    if (text.length() > MAX_TEXT) {
      throw new ProgramException(
          "program text too long: characters=%d, max=%d; split it into several forms"
              .formatted(text.length(), MAX_TEXT));
    }
    FormParser parser = new FormParser(text);
    Form form = parser.form();
    FormValidator.validate(form, parser.source);
    return form;
  }

  /**
   * The positions of the operations of a text: for each lane, in the order of the text, an
   * operation before those of its blocks. A lowered step refers to its operation by its index here.
   *
   * @throws ProgramException as {@link #parse} does
   */
  public static Map<String, List<TextPosition>> operations(String text) {
    FormParser parser = new FormParser(text);
    Map<String, List<TextPosition>> all = new LinkedHashMap<>();
    for (LaneFamily lane : parser.form().lanes()) {
      List<TextPosition> positions = new ArrayList<>();
      parser.positions(lane.body(), positions);
      all.put(lane.name(), List.copyOf(positions));
    }
    return all;
  }

  private void positions(List<Op> ops, List<TextPosition> into) {
    for (Op op : ops) {
      into.add(source.position(op).orElseThrow());
      switch (op) {
        case Op.If branch -> {
          positions(branch.then(), into);
          positions(branch.otherwise(), into);
        }
        case Op.For loop -> positions(loop.body(), into);
        case Op.Each loop -> positions(loop.body(), into);
        default -> {}
      }
    }
  }

  private Form form() {
    tokens.expect("form");
    String name = formName();
    List<Form.Param> params = new ArrayList<>();
    List<Form.Definition> definitions = new ArrayList<>();
    List<Buffer> buffers = new ArrayList<>();
    List<SignalArray> signals = new ArrayList<>();
    List<Form.Team> teams = new ArrayList<>();
    List<Ensure> ensures = new ArrayList<>();
    List<LaneFamily> lanes = new ArrayList<>();
    while (tokens.peek().kind() != FormToken.Kind.END) {
      FormToken word = tokens.next();
      TextPosition at = word.position();
      switch (word.text()) {
        case "param" -> params.add(source.mark(param(), at));
        case "let" -> definitions.add(source.mark(definition(), at));
        case "input", "output", "inout", "window", "scratch", "shared" ->
            buffers.add(source.mark(buffer(word.text()), at));
        case "alias" -> buffers.add(source.mark(alias(buffers), at));
        case "signal" -> signals.add(source.mark(signalArray(), at));
        case "barrier" -> signals.add(source.mark(barrier(), at));
        case "team" -> teams.add(source.mark(team(), at));
        case "hook" -> source.mark(hooks.declaration(), at);
        case "ensure" -> ensures.add(source.mark(ensure(), at));
        case "lane" -> lanes.add(source.mark(lane(), at));
        default ->
            throw tokens.unexpected(
                word,
                "param, let, input, output, inout, window, scratch, shared, alias, signal, barrier,"
                    + " team, hook, ensure or lane");
      }
    }
    hooks.requireApplied();
    return source.mark(
        new Form(name, params, definitions, buffers, signals, teams, ensures, lanes),
        new TextPosition(1, 1));
  }

  private String formName() {
    StringBuilder name = new StringBuilder(tokens.word("a form name").text());
    while (tokens.accept("-")) {
      name.append('-').append(tokens.next().text());
    }
    return name.toString();
  }

  private Form.Param param() {
    String name = tokens.name("a parameter name");
    tokens.expect("<=");
    FormToken first = tokens.peek();
    long max = tokens.number();
    if (max < 0 && !first.is("-")) {
      throw new ProgramException(
          "maximum out of range: %s, parameter=%s, max=%s; write 0 to %d"
              .formatted(first.position(), name, Long.toUnsignedString(max), Long.MAX_VALUE));
    }
    return new Form.Param(name, max);
  }

  private Form.Definition definition() {
    String name = tokens.name("a name");
    tokens.expect("=");
    return new Form.Definition(name, exprs.expr());
  }

  private Buffer buffer(String space) {
    return new Buffer(
        Space.valueOf(space.toUpperCase(Locale.ROOT)),
        tokens.name("a buffer name"),
        places.bracketed());
  }

  private Buffer alias(List<Buffer> buffers) {
    String name = tokens.name("a buffer name");
    tokens.expect("of");
    FormToken base = tokens.word("the name of a buffer");
    return buffers.stream()
        .filter(b -> b.name().equals(base.text()))
        .findFirst()
        .orElseThrow(() -> tokens.unexpected(base, "the name of a buffer declared before"))
        .alias(name);
  }

  private SignalArray signalArray() {
    return new SignalArray(tokens.name("a signal name"), places.bracketed());
  }

  private SignalArray barrier() {
    String name = tokens.name("a barrier name");
    return SignalArray.barrier(name, tokens.accept("of") ? tokens.name("a team name") : "");
  }

  private Form.Team team() {
    String name = tokens.name("a team name");
    tokens.expect("=");
    return new Form.Team(name, exprs.cond());
  }

  private Ensure ensure() {
    List<EnsureBinder> given = given();
    Region actual = places.region();
    tokens.expect("=");
    Combine combine = reductions.combine();
    Grouping grouping = Grouping.AT_ONCE;
    List<SourceSeries> expected;
    if (combine instanceof Combine.Copy) {
      expected = List.of(SourceSeries.of(places.region()));
    } else {
      grouping = combine instanceof Combine.Reduce ? reductions.grouping() : Grouping.AT_ONCE;
      ReductionParser.ParsedCombine made = reductions.sources(combine);
      combine = made.combine();
      expected = made.sources();
    }
    tokens.expect("bytes");
    return new Ensure(given, actual, combine, grouping, expected, exprs.expr());
  }

  private List<EnsureBinder> given() {
    List<EnsureBinder> given = new ArrayList<>();
    while (given.isEmpty() ? GIVEN.contains(tokens.peek().text()) : tokens.accept(",")) {
      TextPosition at = tokens.peek().position();
      given.add(source.mark(oneGiven(), at));
    }
    if (!given.isEmpty()) {
      tokens.expect(":");
    }
    return given;
  }

  private EnsureBinder oneGiven() {
    FormToken word = tokens.next();
    return switch (word.text()) {
      case "each" -> {
        String name = tokens.name("a variable name");
        tokens.expect("in");
        yield new EnsureBinder.Rank(name, places.set());
      }
      case "for" -> {
        String name = tokens.name("a variable name");
        tokens.expect("<");
        yield new EnsureBinder.Turn(name, exprs.expr());
      }
      case "load" -> {
        String name = tokens.name("a name");
        tokens.expect("<-");
        Region region = places.region();
        int width = places.width();
        tokens.expect("<=");
        yield new EnsureBinder.Word(name, region, width, exprs.expr());
      }
      default -> throw tokens.unexpected(word, String.join(", ", GIVEN));
    };
  }

  private LaneFamily lane() {
    String name = tokens.name("a lane name");
    List<LaneFamily.Index> indices = new ArrayList<>();
    if (tokens.accept("(")) {
      do {
        TextPosition at = tokens.peek().position();
        String index = tokens.name("an index name");
        tokens.expect("<");
        indices.add(source.mark(new LaneFamily.Index(index, exprs.expr()), at));
      } while (tokens.accept(","));
      tokens.expect(")");
    }
    tokens.expect(":");
    LaneFamily.Engine engine = engine();
    tokens.expect("{");
    List<LaneFamily.State> states = new ArrayList<>();
    while (tokens.peek().is("state")) {
      TextPosition at = tokens.next().position();
      String state = tokens.name("a state name");
      Expr step = tokens.accept("step") ? exprs.expr() : Expr.of(1);
      states.add(source.mark(new LaneFamily.State(state, step), at));
    }
    return new LaneFamily(name, indices, engine, states, operations.blockTail());
  }

  private LaneFamily.Engine engine() {
    FormToken word = tokens.next();
    return switch (word.text()) {
      case "sm" -> {
        int threads = parenthesized();
        yield new LaneFamily.Engine.Sm(threads, tokens.accept("cluster") ? parenthesized() : 1);
      }
      case "copy" -> new LaneFamily.Engine.Copy();
      case "host" -> new LaneFamily.Engine.Host();
      case "nic" -> new LaneFamily.Engine.Nic(parenthesized());
      default -> throw tokens.unexpected(word, "sm(threads), copy, host or nic(queue)");
    };
  }

  private int parenthesized() {
    tokens.expect("(");
    int value = tokens.smallNumber();
    tokens.expect(")");
    return value;
  }
}
