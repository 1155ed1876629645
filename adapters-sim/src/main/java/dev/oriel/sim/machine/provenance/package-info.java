/**
 * What bytes are and where they came from: a byte is a number, its value in the low 8 bits and its
 * origin above them. Here are the bytes that inputs hold, and what copies that reduce or apply a
 * hook make of several.
 *
 * <p>Works on arrays that it is given; knows no memory, no lane and no state.
 */
@NullMarked
package dev.oriel.sim.machine.provenance;

import org.jspecify.annotations.NullMarked;
