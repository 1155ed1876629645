/** Interleavings in which a loop of a test never ends although every thread takes its turns. */
@NullMarked
package dev.oriel.sim.litmus.ends;

import org.jspecify.annotations.NullMarked;
