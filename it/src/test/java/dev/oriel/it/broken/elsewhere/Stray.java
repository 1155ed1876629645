package dev.oriel.it.broken.elsewhere;

/** In no module's package. */
final class Stray {}
