/** The axiomatic engine: whole executions, and the relations that a model forbids to be cyclic. */
@NullMarked
package dev.oriel.sim.litmus.axioms;

import org.jspecify.annotations.NullMarked;
