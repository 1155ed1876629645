/** Lanes that rank code drives: their calls, and rounds in which none makes progress. */
@NullMarked
package dev.oriel.sim.machine.rankcode;

import org.jspecify.annotations.NullMarked;
