/**
 * How values depend on the number of the launch, found without running the program.
 *
 * <p>Depends on the code and the layout of states.
 */
@NullMarked
package dev.oriel.sim.machine.launch;

import org.jspecify.annotations.NullMarked;
