package dev.oriel.it.broken.bootstrap.launch;

/** Stands on nothing. */
public interface Fine {}
