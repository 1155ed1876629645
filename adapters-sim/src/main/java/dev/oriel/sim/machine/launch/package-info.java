/**
 * How values and states depend on the number of the launch: slopes found without running the
 * program, digests that do not depend on earlier launches, and the state to begin with.
 */
@NullMarked
package dev.oriel.sim.machine.launch;

import org.jspecify.annotations.NullMarked;
