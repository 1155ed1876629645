/**
 * Queues of network interfaces that lie in memory, to which any sharer of that memory posts without
 * a call: the format and the addresses of their elements, bells and completions.
 */
@NullMarked
package dev.oriel.ports.queue;

import org.jspecify.annotations.NullMarked;
