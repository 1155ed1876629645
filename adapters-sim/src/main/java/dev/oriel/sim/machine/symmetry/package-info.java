/** Renamings of ranks under which a program is the same, and states under them. */
@NullMarked
package dev.oriel.sim.machine.symmetry;

import org.jspecify.annotations.NullMarked;
