/**
 * What an execution is subject to: what is assumed of hardware ({@link
 * dev.oriel.sim.machine.terms.Profile}), what is looked for ({@link
 * dev.oriel.sim.machine.terms.Detectors}), which features are left out and which edge is supplied
 * as advice. {@link dev.oriel.sim.machine.terms.Kept} is what follows of these for single steps.
 *
 * <p>Data, decided before a program runs; touches no machine.
 */
@NullMarked
package dev.oriel.sim.machine.terms;

import org.jspecify.annotations.NullMarked;
