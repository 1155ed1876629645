/** A litmus test as a kernel for a GPU, to see which outcomes real hardware shows. */
@NullMarked
package dev.oriel.sim.litmus.kernel;

import org.jspecify.annotations.NullMarked;
