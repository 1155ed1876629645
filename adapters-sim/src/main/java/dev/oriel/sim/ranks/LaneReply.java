package dev.oriel.sim.ranks;

import dev.oriel.ports.Abort;
import java.util.Optional;

/**
 * The answer to a request.
 *
 * @param value the value that was read
 * @param bytes the bytes that were read; empty for other requests
 * @param timedOut whether the wait gave up
 * @param abort the communicator's abort, if it had been aborted by then
 * @param failure the failure of the ranks' group, for requests to the group
 */
@SuppressWarnings("ArrayRecordComponent") // made for its reader alone
record LaneReply(
    long value,
    byte[] bytes,
    boolean timedOut,
    Optional<Abort> abort,
    Optional<CollectiveRounds.Failure> failure) {}
