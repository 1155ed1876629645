package dev.oriel.domain.program;

/**
 * A signal slot of a pair of ranks.
 *
 * <p>Under a signal, {@code at} is the owner and the row is the executing rank's; under an await,
 * the executing rank is the owner and {@code at} names the source row.
 */
public record Slot(String signal, Expr index, Peers at) {}
