/**
 * Runs programs in host memory over an RDMA device: the launching thread interprets the lanes, and
 * requests to peers are posted as the work requests of {@code dev.oriel.ibverbs.post}.
 */
@NullMarked
package dev.oriel.ibverbs.run;

import org.jspecify.annotations.NullMarked;
