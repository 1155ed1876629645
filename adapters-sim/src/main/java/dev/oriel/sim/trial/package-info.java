/** Puts mutants on trial: which strategy kills them, and why the others may live. */
@NullMarked
package dev.oriel.sim.trial;

import org.jspecify.annotations.NullMarked;
