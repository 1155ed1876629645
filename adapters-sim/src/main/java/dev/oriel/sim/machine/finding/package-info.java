/**
 * Findings, early ends of an execution, and its record: the events in order, and the order that a
 * change of the program lost.
 *
 * <p>Uses compiled code for names of lanes, and no machine.
 */
@NullMarked
package dev.oriel.sim.machine.finding;

import org.jspecify.annotations.NullMarked;
