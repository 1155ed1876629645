package dev.oriel.it.broken.bootstrap.launch;

/** Depends on nothing. */
public interface Fine {}
