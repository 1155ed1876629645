package dev.oriel.ibverbs.post;

/**
 * The limits of one request of a queue.
 *
 * @param inlineBytes the most bytes that a request itself carries ({@code max_inline_data})
 * @param messageBytes the most bytes that one request moves ({@code max_msg_sz} of the port)
 */
public record QueueLimits(long inlineBytes, long messageBytes) {}
