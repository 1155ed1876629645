/**
 * A network interface in software. It reads queue elements as bytes from memory that it shares with
 * posters, and executes them under ordering rules that are data.
 *
 * <p>Memory is passed as buffers: the package needs no access to native memory. {@code
 * MemorySegment.asByteBuffer} makes a mapped segment a buffer.
 */
@NullMarked
package dev.oriel.ibverbs.nic;

import org.jspecify.annotations.NullMarked;
