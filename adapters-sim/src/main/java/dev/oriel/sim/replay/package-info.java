/**
 * One execution as data: the choices that make it, the faults put into it, the line of text that
 * repeats it, the search for a smaller one that fails alike, and the splitting of many over
 * machines.
 *
 * <p>Nothing here knows the engine: it is handed {@link dev.oriel.sim.replay.Choices}, and hands
 * back {@link dev.oriel.sim.replay.Failure}s.
 */
@NullMarked
package dev.oriel.sim.replay;

import org.jspecify.annotations.NullMarked;
