package dev.oriel.sim.ranks;

/**
 * Where a window lies in the arenas.
 *
 * @param label what reports put in front of its calls
 * @param bases where its part begins on each rank
 */
@SuppressWarnings("ArrayRecordComponent") // made for one window
record Place(String label, long generation, long[] bases, ArenaMemory.Ids ids) {}
