package dev.oriel.sim.litmus.text;

import dev.oriel.sim.litmus.test.InstructionOperand;

/** Reads the operands of instructions: registers, numbers, and the commas between them. */
final class OperandParser {
  private final LexemeCursor lexemes;
  private final LocationTable locations;

  OperandParser(LexemeCursor lexemes, LocationTable locations) {
    this.lexemes = lexemes;
    this.locations = locations;
  }

  void comma() {
    lexemes.expect(",");
  }

  String destination(ThreadBuilder thread) {
    String name = lexemes.word("a register");
    thread.assign(name);
    return name;
  }

  InstructionOperand operand(ThreadBuilder thread) {
    if (lexemes.isNumber()) {
      return new InstructionOperand.Constant(lexemes.number("a number"));
    }
    Lexeme name = lexemes.peek();
    lexemes.word("a register or a number");
    if (!isRegister(thread, name) && locations.declared(name.text())) {
      throw name.unexpected("a register or a number, not a location");
    }
    return new InstructionOperand.Register(name.text());
  }

  boolean isRegister(ThreadBuilder thread, Lexeme name) {
    return name.kind() == Lexeme.Kind.WORD
        && (thread.knows(name.text())
            || (name.text().matches("%?r[0-9]+") && !locations.declared(name.text())));
  }
}
