/**
 * A network interface in software: it takes queue elements as bytes from memory that it shares with
 * who posts them, and executes them under rules of order that are data.
 *
 * <p>Memory is handed over as buffers, so that the border to native code stays where it is: a
 * mapped segment is a buffer by {@code MemorySegment.asByteBuffer}.
 */
@NullMarked
package dev.oriel.ibverbs.nic;

import org.jspecify.annotations.NullMarked;
