/** Why no agent is enabled: what each lane waits for, and which write it misses. */
@NullMarked
package dev.oriel.sim.machine.deadlock;

import org.jspecify.annotations.NullMarked;
