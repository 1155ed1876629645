/** Reads the text of a litmus test; errors name line and column. */
@NullMarked
package dev.oriel.sim.litmus.text;

import org.jspecify.annotations.NullMarked;
