package dev.oriel.ports;

/**
 * Why a world was aborted, as the first rank that asked for it stated it; the same on every rank.
 *
 * @param rank the rank that asked first
 * @param cause the reason that this rank gave
 */
public record Abort(int rank, String cause) {}
