/**
 * All agents as one transition system: which are enabled, one step of each, and the end of an
 * execution.
 */
@NullMarked
package dev.oriel.sim.machine.agent;

import org.jspecify.annotations.NullMarked;
