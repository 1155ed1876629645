/**
 * All that changes while a program runs, in flat arrays that are copied, hashed and restored as a
 * whole. Here are also the layouts of its parts that more than one owner reads, and the numbers of
 * agents.
 *
 * <p>Only the machine may read a state. Each part is written by the class that owns it, and by no
 * other.
 */
@NullMarked
package dev.oriel.sim.machine.state;

import org.jspecify.annotations.NullMarked;
