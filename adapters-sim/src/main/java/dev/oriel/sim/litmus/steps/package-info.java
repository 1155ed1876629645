/** The operational engine: threads take steps, and what they know decides what they may read. */
@NullMarked
package dev.oriel.sim.litmus.steps;

import org.jspecify.annotations.NullMarked;
