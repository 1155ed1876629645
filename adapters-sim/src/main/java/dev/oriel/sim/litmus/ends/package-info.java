/**
 * Interleavings in which a loop of a test goes round for ever though every thread has its turns.
 */
@NullMarked
package dev.oriel.sim.litmus.ends;

import org.jspecify.annotations.NullMarked;
