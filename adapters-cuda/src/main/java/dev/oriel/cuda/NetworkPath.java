package dev.oriel.cuda;

import dev.oriel.ports.queue.QueueNetwork;

/**
 * The path to peers that are not on NVLink.
 *
 * @param network carries their requests
 * @param hosted whether the memory that peers reach is in the host's memory; otherwise it is on
 *     their GPU, and the network reaches it by copies
 */
public record NetworkPath(QueueNetwork network, boolean hosted) {}
