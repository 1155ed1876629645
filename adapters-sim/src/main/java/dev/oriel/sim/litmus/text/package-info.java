/** Reads the text of a litmus test, and says at which line and column it is none. */
@NullMarked
package dev.oriel.sim.litmus.text;

import org.jspecify.annotations.NullMarked;
