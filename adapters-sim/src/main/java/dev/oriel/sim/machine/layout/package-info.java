/**
 * What never changes while a program is explored: what its code can touch ({@link
 * dev.oriel.sim.machine.layout.Scan}), who acts, which components clocks have ({@link
 * dev.oriel.sim.machine.layout.Agents}), and where everything lies in the flat arrays of a state,
 * by one table for each kind. {@link dev.oriel.sim.machine.layout.Model} is all of it.
 *
 * <p>Numbers places and never holds a state: what changes, and who changes it, is the machine's.
 * Only {@link dev.oriel.sim.machine.layout.Sizes} grow, and then the model is built anew.
 */
@NullMarked
package dev.oriel.sim.machine.layout;

import org.jspecify.annotations.NullMarked;
