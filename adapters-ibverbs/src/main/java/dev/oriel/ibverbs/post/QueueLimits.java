package dev.oriel.ibverbs.post;

/**
 * What one request of a queue may be.
 *
 * @param inlineBytes how many bytes a request itself may carry ({@code max_inline_data})
 * @param messageBytes how many bytes one request may move ({@code max_msg_sz} of the port)
 */
public record QueueLimits(long inlineBytes, long messageBytes) {}
