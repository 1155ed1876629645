package dev.oriel.sim.litmus.test;

/**
 * A name of memory. Names with the same {@code memory} are the same bytes; names with the same
 * {@code address} also reach them by the same generic virtual address, so that only proxies keep
 * them apart.
 */
public record Location(String name, int memory, int address, long initial) {}
