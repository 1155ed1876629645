/**
 * The time driver: executes a program in virtual time under a cost model with contention.
 *
 * <p>No byte is moved, so a world of many thousand ranks fits into little memory. {@link
 * dev.oriel.sim.time.LinkPorts} defines the cost of a message, {@link dev.oriel.sim.time.LinkModel}
 * the costs of a lane's steps. Virtual time is counted in whole picoseconds, so equal runs are
 * equal to the bit.
 */
@NullMarked
package dev.oriel.sim.time;

import org.jspecify.annotations.NullMarked;
