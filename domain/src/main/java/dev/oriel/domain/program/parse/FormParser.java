package dev.oriel.domain.program.parse;

import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.EnsureBinder;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Grouping;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Mistake;
import dev.oriel.domain.program.MistakeList;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.SignalArray;
import dev.oriel.domain.program.SourcePositions;
import dev.oriel.domain.program.SourceSeries;
import dev.oriel.domain.program.Space;
import dev.oriel.domain.program.TextPosition;
import dev.oriel.domain.program.check.FormValidator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads the text form of a program. Newlines have no meaning; every operation starts with its own
 * word. Hostile texts are bounded in size, nesting and number of operations.
 *
 * <p>The result is validated. A mistake gives line and column, the word found and the words
 * allowed. The parse goes on at the next operation, so one run reports several.
 */
public final class FormParser {
  static final int MAX_TEXT = 1 << 20;

  /** The words that may introduce a post-condition. */
  private static final List<String> GIVEN = List.of("each", "for", "load");

  /** At most one mistake of each line: a second one there mostly follows from the first. */
  private final MistakeList mistakes =
      new MistakeList(m -> m.position().map(TextPosition::line).orElse(0));

  private final TokenCursor tokens;
  private final SourcePositions source = new SourcePositions();
  private final ExprParser exprs;
  private final PlaceParser places;
  private final ReductionParser reductions;
  private final OperationParser operations;
  private final HookFormParser hooks;
  private final List<Form.Param> params = new ArrayList<>();
  private final List<Form.Definition> definitions = new ArrayList<>();
  private final List<Cond> requirements = new ArrayList<>();
  private final List<Buffer> buffers = new ArrayList<>();
  private final List<SignalArray> signals = new ArrayList<>();
  private final List<Form.Team> teams = new ArrayList<>();
  private final List<Ensure> ensures = new ArrayList<>();
  private final List<LaneFamily> lanes = new ArrayList<>();

  private FormParser(String text) {
    tokens = new TokenCursor(FormLexer.tokens(text, mistakes), mistakes);
    exprs = new ExprParser(tokens, source);
    places = new PlaceParser(tokens, source, exprs);
    hooks = new HookFormParser(tokens, exprs);
    reductions = new ReductionParser(tokens, exprs, places, hooks);
    operations = new OperationParser(tokens, source, exprs, places, reductions);
  }

  /**
   * The form that the text describes.
   *
   * @throws ProgramException with the mistakes of the text, each with its line and column
   */
  public static Form parse(String text) {
    return read(text).form();
  }

  /**
   * The form that the text describes, with the positions of its parts.
   *
   * @throws ProgramException as {@link #parse} does
   */
  public static ParsedForm read(String text) {
    if (text.length() > MAX_TEXT) {
      throw new ProgramException(
          "program text too long: characters=%d, max=%d; split it into several forms"
              .formatted(text.length(), MAX_TEXT));
    }
    FormParser parser = new FormParser(text);
    Form form = parser.form();
    FormValidator.validate(form, parser.source);
    return new ParsedForm(form, parser.source);
  }

  /**
   * The hook that the text declares, as in a form: {@code hook NAME(...) -> TYPE = VALUE}, or one
   * of the library. It knows no names of a form.
   *
   * @throws ProgramException as {@link #parse} does
   */
  public static HookForm hook(String text) {
    if (text.length() > MAX_TEXT) {
      throw new ProgramException(
          "hook too long: characters=%d, max=%d".formatted(text.length(), MAX_TEXT));
    }
    FormParser parser = new FormParser(text);
    HookForm[] hook = {null};
    parser.tokens.attempt(() -> {
      parser.tokens.expect("hook");
      hook[0] = parser.hooks.declaration();
      if (!parser.tokens.ended()) {
        throw parser.tokens.unexpected(parser.tokens.next(), "the end of the hook");
      }
    });
    parser.mistakes.refuse();
    return hook[0];
  }

  /** A text with a mistake of the language is not checked any further: parts of it are missing. */
  private Form form() {
    if (!tokens.attempt(() -> tokens.expect("form"))) {
      mistakes.refuse();
    }
    String[] name = {""};
    tokens.attempt(() -> name[0] = formName());
    while (!tokens.ended()) {
      FormToken word = tokens.next();
      if (!tokens.attempt(() -> declaration(word))) {
        recover(word);
      }
    }
    if (mistakes.isEmpty()) {
      hooks.requireApplied();
    }
    mistakes.refuse();
    return source.mark(
        new Form(
            name[0], params, definitions, requirements, buffers, signals, teams, ensures, lanes),
        new TextPosition(1, 1));
  }

  private void declaration(FormToken word) {
    TextPosition at = word.position();
    switch (word.text()) {
      case "param" -> params.add(source.mark(param(), at));
      case "let" -> definitions.add(source.mark(definition(), at));
      case "require" -> requirements.add(source.mark(exprs.cond(), at));
      case "input", "uniform", "output", "inout", "window", "scratch", "shared" ->
          buffers.add(source.mark(buffer(word.text()), at));
      case "alias" -> buffers.add(source.mark(alias(), at));
      case "signal" -> signals.add(source.mark(signalArray(), at));
      case "barrier" -> signals.add(source.mark(barrier(), at));
      case "team" -> teams.add(source.mark(team(), at));
      case "hook" -> source.mark(hooks.declaration(), at);
      case "ensure" -> ensures.add(source.mark(ensure(), at));
      case "lane" -> lanes.add(source.mark(lane(), at));
      case "}" ->
          throw new ProgramException(
              Mistake.at(at, "no block is open", "found='}'", "remove it, or add its { before"));
      default -> throw tokens.unknownStart(word, HookFormParser.DECLARATIONS);
    }
  }

  /**
   * Goes from a mistake to the next declaration: the first line that begins with the word of one. A
   * block on the way is a lane's, and is parsed for its own mistakes; a lane has one, also if its
   * brace is missing.
   */
  private void recover(FormToken wrong) {
    boolean lane = wrong.is("lane");
    while (!tokens.ended()) {
      if (!lane && tokens.startsLine(HookFormParser.DECLARATIONS)) {
        return;
      }
      if ((lane && tokens.startsLine()) || tokens.next().is("{")) {
        LaneFamily _ = body("", List.of(), new LaneFamily.Engine.Host());
        return;
      }
    }
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
          Mistake.at(
              first.position(),
              "maximum out of range",
              "parameter=" + name + ", max=" + Long.toUnsignedString(max),
              "write 0 to " + Long.MAX_VALUE));
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

  private Buffer alias() {
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
    Optional<Ensure.When> when = tokens.accept("if") ? Optional.of(when()) : Optional.empty();
    if (!given.isEmpty() || when.isPresent()) {
      tokens.expect(":");
    }
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
    return new Ensure(given, when, actual, combine, grouping, expected, exprs.expr());
  }

  /** The names that it ranges over; after a comma, a condition may follow them. */
  private List<EnsureBinder> given() {
    List<EnsureBinder> given = new ArrayList<>();
    while (given.isEmpty() ? GIVEN.contains(tokens.peek().text()) : tokens.accept(",")) {
      if (tokens.peek().is("if")) {
        break;
      }
      TextPosition at = tokens.peek().position();
      given.add(source.mark(oneGiven(), at));
    }
    return given;
  }

  private Ensure.When when() {
    TextPosition at = tokens.peek().position();
    Region word = places.region();
    var comparison = exprs.comparison();
    return source.mark(new Ensure.When(word, comparison, exprs.expr()), at);
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
      default -> throw tokens.unexpected(word, GIVEN);
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
    return body(name, indices, engine);
  }

  /** The rest of a lane whose opening brace has been read. */
  private LaneFamily body(String name, List<LaneFamily.Index> indices, LaneFamily.Engine engine) {
    FormToken open = tokens.peek(-1);
    List<LaneFamily.State> states = new ArrayList<>();
    while (tokens.peek().is("state")) {
      TextPosition at = tokens.next().position();
      tokens.attempt(() -> {
        String state = tokens.name("a state name");
        Expr step = tokens.accept("step") ? exprs.expr() : Expr.of(1);
        states.add(source.mark(new LaneFamily.State(state, step), at));
      });
    }
    return new LaneFamily(name, indices, engine, states, operations.blockTail(open));
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
