/**
 * Happens-before, as vector clocks of components; the release clocks of values; and which writes of
 * interfaces an agent sees.
 */
@NullMarked
package dev.oriel.sim.machine.clocks;

import org.jspecify.annotations.NullMarked;
