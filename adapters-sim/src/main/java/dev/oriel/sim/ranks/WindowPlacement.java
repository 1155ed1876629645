package dev.oriel.sim.ranks;

/**
 * The addresses and ids of a window in the arenas.
 *
 * @param label the prefix of its calls in reports
 * @param bases where its part begins on each rank
 */
@SuppressWarnings("ArrayRecordComponent") // made for one window
record WindowPlacement(String label, long generation, long[] bases, ArenaAllocator.Ids ids) {}
