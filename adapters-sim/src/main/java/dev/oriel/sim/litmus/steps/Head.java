package dev.oriel.sim.litmus.steps;

/**
 * What a strong write carries to its readers: the release that opened its pattern, and all that
 * happened up to there. Sc fences leave the same for one another.
 */
record Head(Actor by, Knowledge before) {}
