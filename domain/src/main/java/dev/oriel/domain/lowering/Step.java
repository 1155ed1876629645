package dev.oriel.domain.lowering;

/** A micro-operation and why it stands there: the operation it serves and the edge it makes. */
public record Step(Micro micro, String why) {}
