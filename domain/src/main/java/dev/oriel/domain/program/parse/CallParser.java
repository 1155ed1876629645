package dev.oriel.domain.program.parse;

import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Mistake;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Proxy;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Scope;
import java.util.List;
import java.util.Optional;

/** Reads one-sided calls after their first word. */
final class CallParser {
  /** The words that one-sided calls begin with. */
  static final List<String> WORDS =
      List.of(
          "put", "get", "bulk", "atomic", "fence", "quiet", "order", "wait", "read", "lock",
          "unlock", "barrier", "meet");

  private final TokenCursor tokens;
  private final ExprParser exprs;
  private final PlaceParser places;

  CallParser(TokenCursor tokens, ExprParser exprs, PlaceParser places) {
    this.tokens = tokens;
    this.exprs = exprs;
    this.places = places;
  }

  /** The call that starts with the word, if any. */
  Optional<Op> call(FormToken word) {
    return Optional.ofNullable(
        switch (word.text()) {
          case "put" -> put();
          case "get" -> get();
          case "atomic" -> atomic();
          case "fence" -> new Call.Fence(via());
          case "order" -> order();
          case "bulk" -> bulk();
          case "quiet" -> new Call.Quiet(via());
          case "wait" ->
              new Call.Wait(places.region(), exprs.comparison(), exprs.expr(), acquired());
          case "read" -> {
            String register = tokens.name("a register name");
            tokens.expect("<-");
            yield new Call.Read(register, places.slot(), acquired(), until());
          }
          case "lock" -> new Call.Lock(places.region(), scope());
          case "unlock" -> new Call.Unlock(places.region(), scope());
          case "barrier" -> new Call.Meet(tokens.name("a barrier name"), true);
          case "meet" -> new Call.Meet(tokens.name("a barrier name"), false);
          default -> null;
        });
  }

  /** The condition that a read waits for, if there is one. */
  Optional<Call.Until> until() {
    if (!tokens.accept("until")) {
      return Optional.empty();
    }
    var comparison = exprs.comparison();
    Expr value = exprs.expr();
    tokens.expect("within");
    return Optional.of(new Call.Until(comparison, value, tokens.duration()));
  }

  /** The scope at this position, or the widest if there is none. */
  Scope scope() {
    if (tokens.accept("cta")) {
      return Scope.CTA;
    }
    if (tokens.accept("cluster")) {
      return Scope.CLUSTER;
    }
    if (tokens.accept("gpu")) {
      return Scope.GPU;
    }
    tokens.accept("sys");
    return Scope.SYS;
  }

  private Op order() {
    for (Proxy proxy : Proxy.values()) {
      if (tokens.accept(proxy.spelling())) {
        return new Call.OrderProxy(proxy);
      }
    }
    return new Call.MemoryFence(tokens.accept("sc"), scope());
  }

  private Op bulk() {
    Region to = places.region();
    tokens.expect("<-");
    Region from = places.region();
    tokens.expect("bytes");
    return new Call.Bulk(to, from, exprs.expr());
  }

  private Op put() {
    Region to = places.region();
    tokens.expect("<-");
    Region from = places.region();
    Call.Extent extent = extent();
    Optional<Call.Notify> notice =
        tokens.accept("notify") ? Optional.of(notice()) : Optional.empty();
    Optional<Region> counter =
        tokens.accept("counter") ? Optional.of(places.region()) : Optional.empty();
    return new Call.Put(to, from, extent, notice, counter, via(), blocking());
  }

  private Op get() {
    Region to = places.region();
    tokens.expect("<-");
    return new Call.Get(to, places.region(), extent(), via(), blocking());
  }

  private Call.Extent extent() {
    tokens.expect("bytes");
    Expr bytes = exprs.expr();
    if (!tokens.accept("count")) {
      return new Call.Extent(bytes);
    }
    Expr count = exprs.expr();
    tokens.expect("step");
    Expr to = exprs.expr();
    tokens.expect(",");
    return new Call.Extent(bytes, Optional.of(new Call.Stride(count, to, exprs.expr())));
  }

  private Call.Notify notice() {
    String signal = tokens.name("a signal name");
    Expr index = places.bracketed();
    FormToken word = tokens.next();
    if (!word.is("set") && !word.is("add")) {
      throw tokens.unexpected(word, List.of("set", "add"));
    }
    return new Call.Notify(signal, index, word.is("set") ? Change.SET : Change.ADD, exprs.expr());
  }

  private Op atomic() {
    Region first = places.region();
    boolean fetches = tokens.accept("<-");
    Region word = fetches ? places.region() : first;
    FormToken change = tokens.next();
    Expr compare = Expr.of(0);
    Expr operand = Expr.of(0);
    Atomic atomic =
        switch (change.text()) {
          case "fetch" -> Atomic.FETCH;
          case "set" -> Atomic.SET;
          case "add" -> Atomic.ADD;
          case "cas" -> {
            compare = exprs.expr();
            tokens.expect(",");
            yield Atomic.CAS;
          }
          default -> throw tokens.unexpected(change, List.of("fetch", "set", "add", "cas"));
        };
    if (atomic != Atomic.FETCH) {
      operand = exprs.expr();
    }
    Expr context = via();
    Optional<Call.Result> result =
        fetches ? Optional.of(new Call.Result(first, blocking())) : Optional.empty();
    return new Call.Change(result, word, atomic, operand, compare, context);
  }

  private Expr via() {
    return tokens.accept("via") ? exprs.expr() : Call.DEFAULT;
  }

  /** Whether the call waits for its end, which its last word says. */
  private boolean blocking() {
    boolean blocks = !tokens.accept("nb");
    if (!blocks && tokens.peek().is("via")) {
      throw new ProgramException(
          Mistake.at(
              tokens.peek().position(),
              "context after nb",
              "found='via'",
              "write via and the context before nb"));
    }
    return blocks;
  }

  /** The order of a read, which may be acquire. */
  Order acquired() {
    FormToken order = tokens.next();
    if (!order.is("acquire") && !order.is("relaxed")) {
      throw tokens.unexpected(order, List.of("acquire", "relaxed"));
    }
    return order.is("acquire") ? Order.ACQUIRE : Order.RELAXED;
  }
}
