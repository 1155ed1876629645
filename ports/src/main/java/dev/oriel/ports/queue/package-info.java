/**
 * Queues of network interfaces that lie in memory, so that whoever shares it posts without a call:
 * how their elements, bells and completions look, and where they are.
 */
@NullMarked
package dev.oriel.ports.queue;

import org.jspecify.annotations.NullMarked;
