/**
 * Runs programs in host memory over an RDMA device: lanes are walked by the thread that launches,
 * and what goes to peers is posted as the work requests of {@code dev.oriel.ibverbs.post}.
 */
@NullMarked
package dev.oriel.ibverbs.run;

import org.jspecify.annotations.NullMarked;
