/**
 * A rank's memory and links on an RDMA device: queue pairs to each peer with credits, outcomes of
 * requests, and the fabric of the ports on top.
 */
@NullMarked
package dev.oriel.ibverbs.fabric;

import org.jspecify.annotations.NullMarked;
