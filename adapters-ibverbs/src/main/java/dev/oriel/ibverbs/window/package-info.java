/**
 * Windows in the host's memory over RDMA devices: every rank behind the network for every other.
 */
@NullMarked
package dev.oriel.ibverbs.window;

import org.jspecify.annotations.NullMarked;
