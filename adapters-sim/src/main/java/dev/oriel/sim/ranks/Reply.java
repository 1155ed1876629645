package dev.oriel.sim.ranks;

import dev.oriel.ports.Abort;
import java.util.Optional;

/**
 * How a request ended.
 *
 * @param value what was seen
 * @param bytes what was read; empty for others
 * @param timedOut whether it gave up waiting
 * @param abort who had aborted the communicator by then
 * @param failure how the group of the ranks had failed, where the request was to it
 */
@SuppressWarnings("ArrayRecordComponent") // made for its reader alone
record Reply(
    long value,
    byte[] bytes,
    boolean timedOut,
    Optional<Abort> abort,
    Optional<Meetings.Failure> failure) {}
