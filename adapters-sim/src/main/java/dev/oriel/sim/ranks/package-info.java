/**
 * Rank code in Java over the window port, executed by the machine that executes programs: the same
 * memory, the same checks, the same schedules.
 */
@NullMarked
package dev.oriel.sim.ranks;

import org.jspecify.annotations.NullMarked;
