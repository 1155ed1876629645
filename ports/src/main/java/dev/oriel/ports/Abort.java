package dev.oriel.ports;

/**
 * Why a world was aborted: what the first who asked said, the same on every rank.
 *
 * @param rank who asked first
 * @param cause what that rank said
 */
public record Abort(int rank, String cause) {}
