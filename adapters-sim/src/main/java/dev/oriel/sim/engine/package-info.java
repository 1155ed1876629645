/** The transition system: memory, lanes, stores in flight, queues, and the steps between states. */
@NullMarked
package dev.oriel.sim.engine;

import org.jspecify.annotations.NullMarked;
