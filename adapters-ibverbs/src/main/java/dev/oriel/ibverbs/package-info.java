/** Runs programs over RDMA: lowers them to work requests and posts these through libibverbs. */
@NullMarked
package dev.oriel.ibverbs;

import org.jspecify.annotations.NullMarked;
