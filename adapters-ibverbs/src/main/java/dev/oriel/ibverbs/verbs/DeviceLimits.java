package dev.oriel.ibverbs.verbs;

/**
 * The limits of a device.
 *
 * @param queueDepth requests of one queue
 * @param completions entries of one completion queue
 * @param readsOut reads and atomics that one queue pair may have under way
 * @param readsIn reads and atomics of the peer that one queue pair answers at once
 * @param atomics whether it has atomics at all
 */
public record DeviceLimits(
    int queuePairs,
    int queueDepth,
    int completions,
    int registrations,
    int readsOut,
    int readsIn,
    boolean atomics,
    int ports) {}
