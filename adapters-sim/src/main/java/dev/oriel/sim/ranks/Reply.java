package dev.oriel.sim.ranks;

/**
 * How a request ended.
 *
 * @param value what was seen
 * @param bytes what was read; empty for others
 * @param timedOut whether it gave up waiting
 */
@SuppressWarnings("ArrayRecordComponent") // made for its reader alone
record Reply(long value, byte[] bytes, boolean timedOut) {}
