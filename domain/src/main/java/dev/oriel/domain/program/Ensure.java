package dev.oriel.domain.program;

/**
 * A post-condition at each rank's own end: for every rank {@code variable} of {@code over}, {@code
 * bytes} of the rank's own {@code actual} equal those of {@code expected} as they were at the
 * start.
 */
public record Ensure(String variable, Peers over, Region actual, Region expected, Expr bytes) {}
