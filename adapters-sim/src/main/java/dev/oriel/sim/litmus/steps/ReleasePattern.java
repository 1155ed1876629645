package dev.oriel.sim.litmus.steps;

/**
 * A release clock: a strong write carries it to its readers. It names the release that opened the
 * pattern, and all accesses that happened before it. Sc fences pass the same to one another.
 */
record ReleasePattern(OperationIssuer by, HappensBeforeSets before) {}
