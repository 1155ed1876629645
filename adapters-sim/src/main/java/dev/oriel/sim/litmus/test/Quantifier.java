package dev.oriel.sim.litmus.test;

/** The quantifier that a test applies to its condition. */
public enum Quantifier {
  /** Some execution satisfies it. */
  EXISTS,
  /** No execution satisfies it. */
  NOT_EXISTS,
  /** Every execution satisfies it. */
  FORALL
}
