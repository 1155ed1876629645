/** Ways that one thread may take through its code, values of reads left open. */
@NullMarked
package dev.oriel.sim.litmus.path;

import org.jspecify.annotations.NullMarked;
