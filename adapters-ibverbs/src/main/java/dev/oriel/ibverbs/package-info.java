/** Runs programs over RDMA: lowers them to work requests and speaks to libibverbs. */
@NullMarked
package dev.oriel.ibverbs;

import org.jspecify.annotations.NullMarked;
