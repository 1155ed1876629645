/**
 * What queues of ConnectX interfaces hold, byte by byte, and the arithmetic of their indices. Plain
 * memory in, plain memory out: nothing here talks to an interface.
 */
@NullMarked
package dev.oriel.ibverbs.mlx5;

import org.jspecify.annotations.NullMarked;
