package dev.oriel.sim.litmus.test;

/** A value that an instruction takes: a constant, or what a register holds. */
public sealed interface Operand {

  record Constant(long value) implements Operand {}

  record Register(String name) implements Operand {}
}
