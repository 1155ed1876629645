package dev.oriel.cuda.ptx;

import dev.oriel.domain.program.Order;
import java.util.Locale;

/** A PTX function body in the making: fresh registers and labels, one instruction a line. */
final class PtxBuilder {
  /** 16-bit registers that copies of bytes use. */
  private static final int COPIED = 2;

  private final StringBuilder body = new StringBuilder();
  private int words;
  private int halves;
  private int quarters = COPIED;
  private int predicates;
  private int labels;

  /** A fresh 64-bit register. */
  String word() {
    return "%rd" + words++;
  }

  /** A fresh 32-bit register. */
  String half() {
    return "%r" + halves++;
  }

  /** A fresh 16-bit register. */
  String quarter() {
    return "%h" + quarters++;
  }

  /** A fresh predicate. */
  String predicate() {
    return "%p" + predicates++;
  }

  /** A fresh label. */
  String label(String stem) {
    return "$" + stem + "_" + labels++;
  }

  /** One instruction; {@code %s} in the format take the operands. */
  void op(String format, Object... operands) {
    body.append("    ").append(String.format(Locale.ROOT, format, operands)).append(";\n");
  }

  /** The same under a predicate. */
  void opIf(String predicate, String format, Object... operands) {
    body.append("    @").append(predicate).append(' ');
    body.append(String.format(Locale.ROOT, format, operands)).append(";\n");
  }

  void place(String label) {
    body.append(label).append(":\n");
  }

  void comment(String text) {
    if (!text.isEmpty()) {
      body.append("    // ").append(text).append('\n');
    }
  }

  /**
   * Comments on the edge that the next instruction makes; nothing if it orders only its own word.
   */
  void edge(Order order) {
    comment(
        switch (order) {
          case RELAXED -> "";
          case RELEASE -> "release: an acquire that reads this value sees all earlier accesses";
          case ACQUIRE -> "acquire: later accesses see all that the observed release covers";
          case ACQ_REL -> "acq_rel: releases earlier accesses, acquires for later ones";
        });
  }

  String registers() {
    return """
        .reg .b64 %%rd<%s>;
        .reg .b32 %%r<%s>;
        .reg .b16 %%h<%s>;
        .reg .pred %%p<%s>;
    """
        .formatted(Math.max(1, words), Math.max(1, halves), quarters, Math.max(1, predicates));
  }

  String body() {
    return body.toString();
  }
}
