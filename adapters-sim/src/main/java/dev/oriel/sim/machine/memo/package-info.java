/** Steps that were taken before are looked up instead of computed. */
@NullMarked
package dev.oriel.sim.machine.memo;

import org.jspecify.annotations.NullMarked;
