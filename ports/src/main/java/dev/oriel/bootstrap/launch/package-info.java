/**
 * Reads the variables of torchrun, mpirun, PMI and srun: this rank, and the address of rank 0, as a
 * pure function of a map. Start at {@link dev.oriel.bootstrap.launch.LaunchEnvironment}. It makes
 * settings for the package above, which does not know the launcher.
 */
@NullMarked
package dev.oriel.bootstrap.launch;

import org.jspecify.annotations.NullMarked;
