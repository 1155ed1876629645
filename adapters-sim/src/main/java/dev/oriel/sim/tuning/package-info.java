/** The basis for the choice of programs here: the time driver's predictions. */
@NullMarked
package dev.oriel.sim.tuning;

import org.jspecify.annotations.NullMarked;
