/**
 * The queues of ConnectX interfaces byte by byte, and the arithmetic of their indices. Works on
 * plain memory only: nothing here accesses an interface.
 */
@NullMarked
package dev.oriel.ibverbs.mlx5;

import org.jspecify.annotations.NullMarked;
