/**
 * The assumptions of an execution. {@link dev.oriel.sim.machine.settings.Profile} holds those about
 * hardware, and {@link dev.oriel.sim.machine.settings.DetectorSet} the kinds of findings and the
 * features that are left out. An {@link dev.oriel.sim.machine.settings.SuppliedOrder} is supplied
 * as advice. {@link dev.oriel.sim.machine.settings.OrderingAssumptions} derives from them the order
 * of single steps.
 *
 * <p>They are data, fixed before a program runs, and touch no machine.
 */
@NullMarked
package dev.oriel.sim.machine.settings;

import org.jspecify.annotations.NullMarked;
