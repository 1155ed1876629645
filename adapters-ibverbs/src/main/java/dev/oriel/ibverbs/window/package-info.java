/** Windows in the host's memory over RDMA devices: ranks reach each other only over the network. */
@NullMarked
package dev.oriel.ibverbs.window;

import org.jspecify.annotations.NullMarked;
