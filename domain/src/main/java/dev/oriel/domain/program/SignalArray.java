package dev.oriel.domain.program;

/**
 * A named array of 64-bit signal slots.
 *
 * <p>Every rank owns one row of {@code count} slots for each source rank, and only that source
 * writes it: "which peer signalled" is always answerable.
 */
public record SignalArray(String name, Expr count) {}
