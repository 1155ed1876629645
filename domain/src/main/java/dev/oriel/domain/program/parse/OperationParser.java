package dev.oriel.domain.program.parse;

import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Mistake;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Op.Await.Quantifier;
import dev.oriel.domain.program.Op.Flush.Reach;
import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.domain.program.Op.Signal.Cover;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.program.SourcePositions;
import dev.oriel.domain.program.SourceSeries;
import dev.oriel.domain.program.check.FormLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Reads the operations of a lane. Every one starts with its own word. */
final class OperationParser {
  /** Words that only declarations begin with, so that no operation of a lane does. */
  private static final Set<String> DECLARATION_WORDS =
      Set.of(
          "form", "param", "input", "uniform", "output", "inout", "window", "scratch", "shared",
          "alias", "team", "hook", "ensure", "lane");

  private static final Set<String> BLOCK_WORDS = Set.of("if", "for", "each", "thread0");

  /** The words that operations begin with. */
  private static final List<String> WORDS =
      Stream.concat(
              Stream.of(
                  "move", "signal", "await", "flush", "sync", "join", "load", "let", "set", "store",
                  "check", "if", "for", "each", "thread0"),
              CallParser.WORDS.stream())
          .toList();

  private static final List<String> EXPECTED =
      Stream.concat(WORDS.stream(), Stream.of("}")).toList();

  private final TokenCursor tokens;
  private final SourcePositions source;
  private final ExprParser exprs;
  private final PlaceParser places;
  private final ReductionParser reductions;
  private final CallParser calls;
  private int depth;
  private boolean unclosed;

  OperationParser(
      TokenCursor tokens,
      SourcePositions source,
      ExprParser exprs,
      PlaceParser places,
      ReductionParser reductions) {
    this.tokens = tokens;
    this.source = source;
    this.exprs = exprs;
    this.places = places;
    this.reductions = reductions;
    this.calls = new CallParser(tokens, exprs, places);
  }

  private List<Op> block() {
    tokens.expect("{");
    return blockTail();
  }

  /** The operations of a block whose opening brace is the last token that was read. */
  private List<Op> blockTail() {
    return blockTail(tokens.peek(-1));
  }

  /** The operations of a block with that opening brace, which has been read. */
  List<Op> blockTail(FormToken open) {
    if (depth == FormLimits.MAX_BLOCKS) {
      tokens.report(
          Mistake.at(
              tokens.peek().position(),
              "blocks nested too deeply",
              "max=" + FormLimits.MAX_BLOCKS,
              "flatten the lane"));
      tokens.skipBlock();
      return List.of();
    }
    depth++;
    List<Op> ops = new ArrayList<>();
    while (!tokens.accept("}")) {
      if (tokens.ended() || declarationFollows()) {
        unclosed(open);
        break;
      }
      FormToken word = tokens.next();
      if (!tokens.attempt(() -> ops.add(source.mark(op(word), word.position())))) {
        recover(BLOCK_WORDS.contains(word.text()));
      }
    }
    depth--;
    return ops;
  }

  private boolean declarationFollows() {
    return tokens.startsLine() && DECLARATION_WORDS.contains(tokens.peek().text());
  }

  /** Reports the innermost of all blocks that are still open: a missing brace opens all of them. */
  private void unclosed(FormToken open) {
    if (!unclosed) {
      unclosed = true;
      FormToken next = tokens.peek();
      tokens.report(
          Mistake.at(
              open.position(),
              "block is not closed",
              "next="
                  + (tokens.ended()
                      ? next.shown()
                      : next.shown() + " in line " + next.position().line()),
              "add } at its end"));
    }
  }

  /**
   * Goes from a mistake to the next operation: the first line that begins with the word of one. A
   * block on the way belongs to the wrong operation and is parsed for its own mistakes.
   *
   * @param opens whether the operation has a block, also if its brace is missing
   */
  private void recover(boolean opens) {
    while (!tokens.ended() && !tokens.peek().is("}")) {
      if (tokens.startsLine(WORDS) || declarationFollows()) {
        if (opens) {
          blockTail();
        }
        return;
      }
      if (tokens.next().is("{")) {
        blockTail();
        if (!tokens.accept("else")) {
          return;
        }
      }
    }
  }

  private Op op(FormToken word) {
    return switch (word.text()) {
      case "move" -> move();
      case "signal" -> signal();
      case "await" -> await();
      case "flush" -> flush();
      case "sync" -> new Op.Sync();
      case "join" -> new Op.Join(tokens.name("a lane name"));
      case "load" -> load();
      case "let" -> {
        String name = tokens.name("a register name");
        tokens.expect("=");
        yield new Op.Let(name, exprs.expr());
      }
      case "set" -> {
        String name = tokens.name("a state name");
        tokens.expect("=");
        yield new Op.Assign(name, exprs.expr());
      }
      case "store" -> store();
      case "check" -> {
        Cond condition = exprs.cond();
        tokens.expect("else");
        yield new Op.Check(condition, tokens.smallNumber());
      }
      case "if" -> {
        Cond condition = exprs.cond();
        List<Op> then = block();
        yield new Op.If(condition, then, tokens.accept("else") ? block() : List.of());
      }
      case "for" -> {
        String variable = tokens.name("a variable name");
        tokens.expect("<");
        Expr count = exprs.expr();
        yield new Op.For(variable, count, block());
      }
      case "each" -> {
        String variable = tokens.name("a variable name");
        tokens.expect("in");
        Peers peers = places.set();
        yield new Op.Each(variable, peers, block());
      }
      case "thread0" -> new Op.Leader(block());
      default -> calls.call(word).orElseThrow(() -> tokens.unknownStart(word, EXPECTED));
    };
  }

  private Op move() {
    String ticket = "";
    if (tokens.peek(1).is(":")) {
      ticket = tokens.name("a ticket name");
      tokens.expect(":");
    }
    List<Region> destinations = places.regions();
    tokens.expect("<-");
    Combine combine = reductions.combine();
    ReductionParser.ParsedCombine made =
        combine instanceof Combine.Copy
            ? new ReductionParser.ParsedCombine(combine, SourceSeries.of(places.regions()))
            : reductions.sources(combine);
    tokens.expect("bytes");
    return new Op.Move(ticket, destinations, made.combine(), made.sources(), exprs.expr());
  }

  private Op signal() {
    Slot slot = places.slot();
    FormToken word = tokens.next();
    Change change =
        switch (word.text()) {
          case "set" -> Change.SET;
          case "add" -> Change.ADD;
          default -> throw tokens.unexpected(word, List.of("set", "add"));
        };
    Expr value = exprs.expr();
    FormToken order = tokens.next();
    if (!order.is("release") && !order.is("relaxed")) {
      throw tokens.unexpected(order, List.of("release", "relaxed"));
    }
    Scope scope = calls.scope();
    Cover cover =
        tokens.accept("cover") ? new Cover.OneMove(tokens.name("a ticket name")) : Cover.LANE;
    return new Op.Signal(
        slot, change, value, order.is("release") ? Order.RELEASE : Order.RELAXED, scope, cover);
  }

  private Op await() {
    if (tokens.accept("ticket")) {
      return new Op.AwaitTicket(tokens.name("a ticket name"));
    }
    if (tokens.accept("bulk")) {
      return new Call.AwaitBulk();
    }
    Quantifier quantifier = tokens.accept("sum") ? Quantifier.SUM : Quantifier.EACH;
    Slot slot = places.slot();
    var comparison = exprs.comparison();
    Expr value = exprs.expr();
    return new Op.Await(slot, quantifier, comparison, value, calls.acquired(), calls.scope());
  }

  private Op flush() {
    Peers peers = places.set();
    FormToken word = tokens.next();
    return switch (word.text()) {
      case "local" -> new Op.Flush(peers, Reach.LOCAL);
      case "remote" -> new Op.Flush(peers, Reach.REMOTE);
      default -> throw tokens.unexpected(word, List.of("local", "remote"));
    };
  }

  private Op load() {
    String register = tokens.name("a register name");
    tokens.expect("<-");
    Region word = places.region();
    if (tokens.peek().is("acquire") || tokens.peek().is("relaxed")) {
      return new Call.LoadStrong(register, word, calls.acquired(), calls.until());
    }
    int width = places.width();
    if (!tokens.accept("<=")) {
      return new Op.Load(register, word, width, Optional.empty());
    }
    Expr max = exprs.expr();
    tokens.expect("else");
    return new Op.Load(
        register, word, width, Optional.of(new Op.Load.Bound(max, tokens.smallNumber())));
  }

  private Op store() {
    Region word = places.region();
    int width = places.width();
    tokens.expect("<-");
    Expr value = exprs.expr();
    if (width == Long.BYTES && (tokens.peek().is("release") || tokens.peek().is("relaxed"))) {
      return new Call.StoreStrong(
          word, value, tokens.next().is("release") ? Order.RELEASE : Order.RELAXED);
    }
    return new Op.Store(word, width, value);
  }
}
