/** Trials of mutants: which strategy kills them, and why the others survive. */
@NullMarked
package dev.oriel.sim.trial;

import org.jspecify.annotations.NullMarked;
