package dev.oriel.sim.litmus.test;

/** A value that an instruction uses: a constant, or a register's value. */
public sealed interface Operand {

  record Constant(long value) implements Operand {}

  record Register(String name) implements Operand {}
}
