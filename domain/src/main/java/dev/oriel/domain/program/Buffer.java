package dev.oriel.domain.program;

/** A named run of bytes that every rank owns one of. */
public record Buffer(Space space, String name, Expr bytes) {}
