package dev.oriel.sim.machine.report;

/**
 * An access that is not ordered with a later one of the same byte.
 *
 * @param component the clock component that did it
 * @param tick the component's tick at it
 * @param octet the number of the byte in its buffer
 * @param wrote whether it was a write
 */
public record ConflictingAccess(int component, int tick, int octet, boolean wrote) {}
