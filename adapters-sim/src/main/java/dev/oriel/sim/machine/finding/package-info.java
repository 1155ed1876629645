/**
 * What was found, how an execution ended before its end, and the story that led there: who did what
 * in which order, and which order a change of the program lost.
 *
 * <p>Touches compiled code for names of lanes, and no machine.
 */
@NullMarked
package dev.oriel.sim.machine.finding;

import org.jspecify.annotations.NullMarked;
