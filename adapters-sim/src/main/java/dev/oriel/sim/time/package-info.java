/**
 * The time driver: executes a program in virtual time under a cost model with contention.
 *
 * <p>No byte is moved, so a world of many thousand ranks fits into little memory. What a message
 * costs stands at {@link dev.oriel.sim.time.Ports}, what a lane's steps cost at {@link
 * dev.oriel.sim.time.LinkModel}. Virtual time is counted in whole picoseconds, so that equal runs
 * are equal to the bit.
 */
@NullMarked
package dev.oriel.sim.time;

import org.jspecify.annotations.NullMarked;
