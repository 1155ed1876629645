/**
 * Constants of an exploration. {@link dev.oriel.sim.machine.layout.CodeScan} finds what a program's
 * code can touch. {@link dev.oriel.sim.machine.layout.AgentLayout} lists the agents and the
 * components of clocks. One table for each kind of data gives its layout in the flat arrays of a
 * state. {@link dev.oriel.sim.machine.layout.MachineModel} holds all of them.
 *
 * <p>This package numbers places and never holds a state: the machine holds and changes it. Only
 * {@link dev.oriel.sim.machine.layout.StateCapacities} grow, and then the model is built anew.
 */
@NullMarked
package dev.oriel.sim.machine.layout;

import org.jspecify.annotations.NullMarked;
