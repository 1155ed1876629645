package dev.oriel.sim.litmus;

/** A value that an instruction takes: a constant, or what a register holds. */
sealed interface Operand {

  record Constant(long value) implements Operand {}

  record Register(String name) implements Operand {}
}
