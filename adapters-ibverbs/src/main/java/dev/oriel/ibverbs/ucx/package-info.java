/**
 * Connections between ranks over UCX, which reaches peers by TCP, shared memory, RoCE or
 * InfiniBand, whichever this machine has.
 */
@NullMarked
package dev.oriel.ibverbs.ucx;

import org.jspecify.annotations.NullMarked;
