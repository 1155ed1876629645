/**
 * What torchrun, mpirun, PMI and srun say in their variables: which rank this is and where rank 0
 * is, as a pure function of a map. {@link dev.oriel.bootstrap.launch.LaunchEnvironment} is the way
 * in. Makes settings for the package above; nobody there knows who started the process.
 */
@NullMarked
package dev.oriel.bootstrap.launch;

import org.jspecify.annotations.NullMarked;
