package dev.oriel.sim.litmus.test;

/** What a test asks of its condition. */
public enum Quantifier {
  /** Some execution satisfies it. */
  EXISTS,
  /** None does. */
  NOT_EXISTS,
  /** Every one does. */
  FORALL
}
