/**
 * Network interfaces: requests as lanes post them, the stages and the order of each, their
 * completions, and threads that post for lanes.
 */
@NullMarked
package dev.oriel.sim.machine.nic;

import org.jspecify.annotations.NullMarked;
