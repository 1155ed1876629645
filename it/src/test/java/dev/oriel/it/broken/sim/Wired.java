package dev.oriel.it.broken.sim;

import dagger.Component;

/** Wiring in a library. */
@Component
public interface Wired {}
