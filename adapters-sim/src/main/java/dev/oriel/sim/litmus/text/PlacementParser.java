package dev.oriel.sim.litmus.text;

import dev.oriel.sim.litmus.test.ThreadPlacement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the placement of threads: {@code cta 0,gpu 0} in a header cell, or a tree of scopes. */
final class PlacementParser {
  private static final int MAX_DEPTH = 16;

  private final LexemeCursor lexemes;
  private int fresh;

  PlacementParser(LexemeCursor lexemes) {
    this.lexemes = lexemes;
  }

  ThreadPlacement parse() {
    Integer cta = null;
    Integer cluster = null;
    int gpu = 0;
    do {
      Lexeme kind = lexemes.next();
      int number = lexemes.smallNumber("a number");
      switch (kind.text()) {
        case "cta" -> cta = number;
        case "cluster" -> cluster = number;
        case "gpu" -> gpu = number;
        case "sys" -> {}
        default -> throw kind.unexpected("cta, cluster, gpu or sys and a number");
      }
    } while (lexemes.accept(","));
    if (cta == null) {
      throw lexemes.peek().unexpected("cta and its number");
    }
    return cluster == null
        ? ThreadPlacement.unclustered(gpu, cta)
        : new ThreadPlacement(gpu, cluster, cta);
  }

  /** Reads {@code (gpu (cta P0 P1) (cta P2))}; each bracket is a separate instance. */
  void tree(List<ThreadBuilder> threads) {
    while (lexemes.peek().is("(")) {
      node(threads, null, null, null, 0);
    }
  }

  private void node(
      List<ThreadBuilder> threads,
      @Nullable Integer gpu,
      @Nullable Integer cluster,
      @Nullable Integer cta,
      int depth) {
    Lexeme open = lexemes.peek();
    if (depth == MAX_DEPTH) {
      throw new LitmusException(
          "scopes too deep", open.position(), open.shown(), "at most " + MAX_DEPTH + " levels");
    }
    lexemes.expect("(");
    Lexeme kind = lexemes.next();
    int instance = fresh++;
    switch (kind.text()) {
      case "sys", "system", "grid", "kernel", "warp", "thread" -> {}
      case "gpu", "device" -> gpu = instance;
      case "cluster" -> cluster = instance;
      case "cta", "block" -> cta = instance;
      default -> throw kind.unexpected("sys, gpu, grid, cluster, cta or warp");
    }
    if (lexemes.isNumber()) {
      lexemes.smallNumber("a number");
    }
    while (!lexemes.accept(")")) {
      if (lexemes.peek().is("(")) {
        node(threads, gpu, cluster, cta, depth + 1);
      } else {
        leaf(threads, gpu, cluster, cta);
        lexemes.accept(",");
      }
    }
  }

  private void leaf(
      List<ThreadBuilder> threads,
      @Nullable Integer gpu,
      @Nullable Integer cluster,
      @Nullable Integer cta) {
    Lexeme name = lexemes.peek();
    int number = InitParser.threadNumber(lexemes);
    int block = cta == null ? fresh++ : cta;
    int device = gpu == null ? 0 : gpu;
    threads.stream()
        .filter(thread -> thread.number() == number)
        .findFirst()
        .orElseThrow(() -> name.unexpected("a thread of the table"))
        .place(
            cluster == null
                ? ThreadPlacement.unclustered(device, block)
                : new ThreadPlacement(device, cluster, block));
  }
}
