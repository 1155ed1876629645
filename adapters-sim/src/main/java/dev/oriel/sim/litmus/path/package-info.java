/** Paths that one thread may take through its code, with the values of reads left open. */
@NullMarked
package dev.oriel.sim.litmus.path;

import org.jspecify.annotations.NullMarked;
