package dev.oriel.domain.program.parse;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.program.SourcePositions;
import dev.oriel.domain.program.TextPosition;
import java.util.ArrayList;
import java.util.List;

/** Reads the places in operations: regions, slots and ranks. */
final class PlaceParser {
  private final TokenCursor tokens;
  private final SourcePositions source;
  private final ExprParser exprs;

  PlaceParser(TokenCursor tokens, SourcePositions source, ExprParser exprs) {
    this.tokens = tokens;
    this.source = source;
    this.exprs = exprs;
  }

  Expr bracketed() {
    tokens.expect("[");
    Expr expr = exprs.expr();
    tokens.expect("]");
    return expr;
  }

  Slot slot() {
    TextPosition position = tokens.peek().position();
    String name = tokens.name("a signal name");
    Expr index = bracketed();
    return source.mark(new Slot(name, index, at()), position);
  }

  List<Region> regions() {
    List<Region> regions = new ArrayList<>();
    do {
      regions.add(region());
    } while (tokens.accept(","));
    return regions;
  }

  Region region() {
    TextPosition position = tokens.peek().position();
    String name = tokens.name("a buffer name");
    Peers at = at();
    Expr offset = bracketed();
    Access access = Access.WEAK;
    for (PacketFormat format : PacketFormat.values()) {
      if (tokens.accept(format.spelling())) {
        tokens.expect("(");
        access = new Access.Packets(format, exprs.expr());
        tokens.expect(")");
        break;
      }
    }
    return source.mark(new Region(name, at, offset, access), position);
  }

  /** The width of a word, if it is given. */
  int width() {
    return tokens.accept("width") ? tokens.smallNumber() : Long.BYTES;
  }

  private Peers at() {
    if (!tokens.accept("@") || tokens.accept("self")) {
      return Peers.SELF;
    }
    if (tokens.accept("peers")) {
      return Peers.OTHERS;
    }
    if (tokens.accept("all")) {
      return Peers.ALL;
    }
    return Peers.one(exprs.primary());
  }

  Peers set() {
    if (tokens.peek().is("@")) {
      return at();
    }
    FormToken word = tokens.next();
    return switch (word.text()) {
      case "peers" -> Peers.OTHERS;
      case "all" -> Peers.ALL;
      case "self" -> Peers.SELF;
      default -> throw tokens.unexpected(word, List.of("peers", "all", "self", "@rank"));
    };
  }
}
