/**
 * One execution as data: the choices that determine it, its injected faults, and the token that
 * repeats it. Also the search for a smaller execution with the same failure, and the distribution
 * of many executions over machines.
 *
 * <p>This package does not know the engine: it receives {@link dev.oriel.sim.replay.ChoiceSource}
 * and returns {@link dev.oriel.sim.replay.ExecutionFailure}s.
 */
@NullMarked
package dev.oriel.sim.replay;

import org.jspecify.annotations.NullMarked;
