package dev.oriel.domain.program;

/** The ranks that an operand names, seen from the executing rank. */
public sealed interface Peers {
  /** The executing rank's own memory. */
  Peers SELF = new Self();

  /** Every rank but the executing one. */
  Peers OTHERS = new Others();

  /** Every rank, the executing one included. */
  Peers ALL = new All();

  /** See {@link #SELF}. */
  record Self() implements Peers {}

  /** One computed rank, which may be the executing one. */
  record One(Expr rank) implements Peers {}

  /** See {@link #OTHERS}. */
  record Others() implements Peers {}

  /** See {@link #ALL}. */
  record All() implements Peers {}

  static Peers one(Expr rank) {
    return new One(rank);
  }
}
