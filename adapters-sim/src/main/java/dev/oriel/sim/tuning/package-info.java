/** What choices of programs rest on here: the time driver's predictions. */
@NullMarked
package dev.oriel.sim.tuning;

import org.jspecify.annotations.NullMarked;
