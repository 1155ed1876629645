/**
 * Real failures of one-sided protocols, each as a broken program and its repaired twin: what is
 * kept of each, and how a visit judges that the failure is found for its own reason and that the
 * repair holds. {@code museum/README.txt} among the resources says how an exhibit is written.
 */
@NullMarked
package dev.oriel.sim.museum;

import org.jspecify.annotations.NullMarked;
