package dev.oriel.it.broken.cuda;

/** Public, in a package without null marks. */
public final class Unmarked {}
