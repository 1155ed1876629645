package dev.oriel.sim.litmus.text;

import dev.oriel.sim.litmus.test.MemoryProxy;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads the block between braces: initial values of memory and registers, and aliases. */
final class InitParser {
  static final Set<String> TYPES =
      Set.of("int", "long", "int32_t", "int64_t", "uint32_t", "uint64_t");
  private static final Set<String> SHARED = Set.of(".shared", ".shared::cta");

  private final LexemeCursor lexemes;
  private final LocationTable locations;
  private final SortedMap<String, Integer> unsupported;
  private final Map<Integer, Map<String, Long>> registers = new TreeMap<>();
  private final Map<Integer, Map<String, Lexeme>> addresses = new TreeMap<>();
  private final ValueTypes types;
  private boolean shared;

  InitParser(
      LexemeCursor lexemes,
      LocationTable locations,
      SortedMap<String, Integer> unsupported,
      ValueTypes types) {
    this.lexemes = lexemes;
    this.locations = locations;
    this.unsupported = unsupported;
    this.types = types;
  }

  Map<Integer, Map<String, Long>> parse() {
    lexemes.expect("{");
    while (!lexemes.accept("}")) {
      if (lexemes.accept(";")) {
        continue;
      }
      entry();
      if (!lexemes.peek().is("}")) {
        lexemes.expect(";");
      }
    }
    lexemes.accept(";");
    return registers;
  }

  /** Registers whose initial value is the address of a location, by thread. */
  Map<Integer, Map<String, Lexeme>> addresses() {
    return addresses;
  }

  /** Reads types and state spaces, in the names of C or PTX, and returns the last. */
  private String qualifiers() {
    String last = "";
    shared = false;
    while (lexemes.isWord() && qualifies(lexemes.peek().text()) && named(lexemes.peek(1))) {
      last = lexemes.next().text();
      shared |= SHARED.contains(last);
    }
    return last;
  }

  private static boolean qualifies(String word) {
    return TYPES.contains(word) || word.startsWith(".");
  }

  private void entry() {
    String type = qualifiers();
    if (lexemes.isNumber() || lexemes.peek(1).is(":")) {
      register(type);
      return;
    }
    boolean bracket = lexemes.accept("[");
    Lexeme name = lexemes.peek();
    lexemes.word("a location, a register or '}'");
    if (bracket) {
      lexemes.expect("]");
    }
    if (lexemes.accept("@")) {
      alias(name);
    } else {
      types.declared(type);
      locations.declare(name, lexemes.accept("=") ? value() : 0);
    }
    if (shared) {
      locations.share(locations.index(name));
    }
  }

  /** Whether a register or a location begins here, so that the text before it is a type. */
  private static boolean named(Lexeme next) {
    return next.kind() != Lexeme.Kind.SIGN ? next.kind() != Lexeme.Kind.END : next.is("[");
  }

  /** A location's initial value; dialects disagree on whether a name means value or address. */
  private long value() {
    if (lexemes.accept("&") || lexemes.isWord()) {
      lexemes.word("a location");
      unsupported.merge("location that holds a location", 1, Integer::sum);
      return 0;
    }
    return lexemes.number("a number");
  }

  private void alias(Lexeme name) {
    Lexeme kind = lexemes.next();
    MemoryProxy proxy =
        switch (kind.text().toLowerCase(Locale.ROOT)) {
          case "generic" -> MemoryProxy.GENERIC;
          case "surface" -> MemoryProxy.SURFACE;
          case "texture" -> MemoryProxy.TEXTURE;
          case "constant" -> MemoryProxy.CONSTANT;
          default -> throw kind.unexpected("generic, surface, texture or constant");
        };
    aliasWord();
    String target = lexemes.word("the location that it aliases");
    aliasWord();
    locations.alias(name, proxy, target);
  }

  private void aliasWord() {
    lexemes.accept("virtually");
    if (!lexemes.accept("aliases")) {
      lexemes.accept("alias");
    }
  }

  private void register(String before) {
    int thread = threadNumber(lexemes);
    lexemes.expect(":");
    String after = qualifiers();
    Lexeme name = lexemes.peek();
    lexemes.word("a register");
    long value = 0;
    if (lexemes.accept("=")) {
      if (lexemes.accept("&") || lexemes.isWord()) {
        Lexeme target = lexemes.peek();
        lexemes.word("a location");
        addresses.computeIfAbsent(thread, t -> new TreeMap<>()).put(name.text(), target);
      } else {
        value = lexemes.number("a number");
      }
    }
    if (!addresses.getOrDefault(thread, Map.of()).containsKey(name.text())) {
      types.declared(after.isEmpty() ? before : after);
    }
    Map<String, Long> mine = registers.computeIfAbsent(thread, t -> new TreeMap<>());
    if (mine.putIfAbsent(name.text(), value) != null) {
      throw new LitmusException(
          "register declared twice", name.position(), name.shown(), "each register once a thread");
    }
  }

  /** Reads {@code P1}, {@code T1} or {@code 1}. */
  static int threadNumber(LexemeCursor lexemes) {
    Lexeme lexeme = lexemes.peek();
    if (lexeme.kind() == Lexeme.Kind.NUMBER) {
      return lexemes.smallNumber("a thread's number");
    }
    lexemes.next();
    if (!lexeme.text().matches("[PT][0-9]{1,4}")) {
      throw lexeme.unexpected("a thread, such as P0");
    }
    return Integer.parseInt(lexeme.text().substring(1));
  }
}
