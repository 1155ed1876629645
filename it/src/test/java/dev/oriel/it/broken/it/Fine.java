package dev.oriel.it.broken.it;

/** The command. */
public interface Fine {}
