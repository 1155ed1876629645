package dev.oriel.sim.litmus.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads the table: a first row with the threads' placement, then rows of instructions. */
final class TableParser {
  private static final int MAX_THREADS = 32;
  private static final int MAX_ROWS = 256;

  private final LexemeCursor lexemes;
  private final Map<Integer, Map<String, Long>> registers;
  private final Map<Integer, Map<String, Lexeme>> addresses;
  private final InstructionParser instructions;
  private final List<ThreadBuilder> threads = new ArrayList<>();

  TableParser(
      LexemeCursor lexemes,
      Map<Integer, Map<String, Long>> registers,
      Map<Integer, Map<String, Lexeme>> addresses,
      InstructionParser instructions) {
    this.lexemes = lexemes;
    this.registers = registers;
    this.addresses = addresses;
    this.instructions = instructions;
  }

  List<ThreadBuilder> parse() {
    do {
      header();
    } while (lexemes.accept("|"));
    lexemes.expect(";");
    for (int row = 0; !followsTable(lexemes.peek()); row++) {
      if (row == MAX_ROWS) {
        throw new LitmusException(
            "too many rows",
            lexemes.peek().position(),
            lexemes.peek().shown(),
            "at most " + MAX_ROWS);
      }
      row();
    }
    return threads;
  }

  private void header() {
    Lexeme place = lexemes.peek();
    int number = InitParser.threadNumber(lexemes);
    if (threads.size() == MAX_THREADS || threads.stream().anyMatch(t -> t.number() == number)) {
      throw new LitmusException(
          "thread one too many",
          place.position(),
          place.shown(),
          "at most %d threads, each once".formatted(MAX_THREADS));
    }
    Map<String, Long> mine = registers.getOrDefault(number, Map.of());
    threads.add(
        new ThreadBuilder(
            number,
            place,
            lexemes.accept("@") ? new PlacementParser(lexemes).parse() : null,
            mine,
            addresses.getOrDefault(number, Map.of())));
  }

  private void row() {
    for (int column = 0; column < threads.size(); column++) {
      if (column > 0) {
        Lexeme bar = lexemes.next();
        if (!bar.is("|")) {
          throw bar.unexpected(
              "'|': a row has a cell for each of the %d threads".formatted(threads.size()));
        }
      }
      cell(threads.get(column));
    }
    Lexeme end = lexemes.peek();
    if (!lexemes.accept(";") && !endsTable(end)) {
      throw end.unexpected("';' after cell %d, the last".formatted(threads.size()));
    }
  }

  private void cell(ThreadBuilder thread) {
    while (lexemes.isWord() && lexemes.peek(1).is(":") && !endsTable(lexemes.peek())) {
      thread.label(lexemes.next());
      lexemes.next();
    }
    Lexeme start = lexemes.peek();
    if (endsCell(start)) {
      return;
    }
    if (!lexemes.isWord() && !start.is("@")) {
      throw start.unexpected("an instruction, a label, '|' or ';'");
    }
    instructions.parse(thread);
    Lexeme end = lexemes.peek();
    if (!endsCell(end)) {
      throw end.unexpected("'|' or ';' after the instruction");
    }
  }

  static boolean endsCell(Lexeme lexeme) {
    return lexeme.is("|") || lexeme.is(";") || endsTable(lexeme);
  }

  /** Whether the table has ended, at a position where a row may begin. */
  private static boolean followsTable(Lexeme lexeme) {
    return switch (lexeme.text().toLowerCase(Locale.ROOT)) {
      case "exists", "~", "forall", "final", "(", "filter", "locations", "scopes", "scopetree" ->
          true;
      default -> lexeme.kind() == Lexeme.Kind.END;
    };
  }

  /** Whether the table has ended, even within a row: the last row may lack its end. */
  static boolean endsTable(Lexeme lexeme) {
    return followsTable(lexeme) && (lexeme.first() || lexeme.kind() == Lexeme.Kind.END);
  }
}
