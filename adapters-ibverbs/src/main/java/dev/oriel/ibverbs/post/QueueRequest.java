package dev.oriel.ibverbs.post;

/**
 * One request of one queue.
 *
 * @param number the number of requests of the queue including this one, over all launches; it is
 *     the work request's id, and thus a completion shows how far its queue has progressed
 * @param signalled whether its completion is reported
 * @param fenced whether it starts only after the queue's earlier reads and atomics are complete
 */
public record QueueRequest(
    long number, PostOperation operation, boolean signalled, boolean fenced) {}
