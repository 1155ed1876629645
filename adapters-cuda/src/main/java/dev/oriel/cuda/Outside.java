package dev.oriel.cuda;

import dev.oriel.ports.queue.QueueNetwork;

/**
 * How ranks reach peers that are not on NVLink.
 *
 * @param network carries their requests
 * @param hosted whether what peers reach is in the host's memory; else it is on their GPU, and the
 *     network reaches it by copies
 */
public record Outside(QueueNetwork network, boolean hosted) {}
