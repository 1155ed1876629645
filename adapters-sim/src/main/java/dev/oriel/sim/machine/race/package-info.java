/** The race detector, and the observation order of PTX that it consults. */
@NullMarked
package dev.oriel.sim.machine.race;

import org.jspecify.annotations.NullMarked;
