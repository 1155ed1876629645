/** The steps of lanes, by opcode; when each is enabled; and atomics that take effect later. */
@NullMarked
package dev.oriel.sim.machine.lane;

import org.jspecify.annotations.NullMarked;
