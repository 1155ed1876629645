/**
 * Rank code in Java over the window port. The machine that executes programs executes it, too: with
 * the same memory, the same checks and the same schedules.
 */
@NullMarked
package dev.oriel.sim.ranks;

import org.jspecify.annotations.NullMarked;
