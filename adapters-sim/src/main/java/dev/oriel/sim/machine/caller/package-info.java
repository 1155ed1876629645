/** Callers: they launch, and check outputs against post-conditions. */
@NullMarked
package dev.oriel.sim.machine.caller;

import org.jspecify.annotations.NullMarked;
