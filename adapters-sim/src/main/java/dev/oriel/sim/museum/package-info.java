/**
 * Real failures of one-sided protocols, each as a broken program and its repair. A case study must
 * show that the failure is found for its own reason and that the repair holds. {@code
 * museum/README.txt} in the resources explains how to write an exhibit.
 */
@NullMarked
package dev.oriel.sim.museum;

import org.jspecify.annotations.NullMarked;
