package dev.oriel.sim.litmus.test;

/**
 * A name of memory. Names with the same {@code memory} are the same bytes. Names with the same
 * {@code address} also have the same generic virtual address, so only proxies distinguish them.
 */
public record MemoryLocation(String name, int memory, int address, long initial) {}
