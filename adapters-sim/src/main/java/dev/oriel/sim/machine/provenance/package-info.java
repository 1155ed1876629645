/**
 * Bytes and their provenance. A byte is a number: its value in the low 8 bits, its origin above
 * them. This package holds the bytes of inputs, and the functions that reduce several sources or
 * apply a hook.
 *
 * <p>It works on arrays that it is given, and knows no memory, no lane and no state.
 */
@NullMarked
package dev.oriel.sim.machine.provenance;

import org.jspecify.annotations.NullMarked;
