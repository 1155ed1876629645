/** Faults of a plan: where ranks, links and proxies stop, stall or lose something. */
@NullMarked
package dev.oriel.sim.machine.fault;

import org.jspecify.annotations.NullMarked;
