package dev.oriel.sim.litmus.test;

/** A value that an instruction uses: a constant, or a register's value. */
public sealed interface InstructionOperand {

  record Constant(long value) implements InstructionOperand {}

  record Register(String name) implements InstructionOperand {}
}
