package dev.oriel.ibverbs.post;

/**
 * One request of one queue.
 *
 * @param number how many requests the queue has had with this one, over all launches; the work
 *     request's id, so that a completion says how far its queue has come
 * @param signalled whether its completion is reported
 * @param fenced whether it starts only after the queue's earlier reads and atomics are complete
 */
public record Request(long number, Operation operation, boolean signalled, boolean fenced) {}
