/**
 * A rank's memory and connections on an RDMA device: queue pairs to each peer with credits,
 * completions of requests, and the fabric of the ports on top of them.
 */
@NullMarked
package dev.oriel.ibverbs.fabric;

import org.jspecify.annotations.NullMarked;
