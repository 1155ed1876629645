/**
 * Litmus tests under the PTX memory model: which outcomes of a small program a GPU may show.
 *
 * <p>Text is read by {@link dev.oriel.sim.litmus.LitmusParser}, decided by {@link
 * dev.oriel.sim.litmus.LitmusChecker}. A test is a {@link dev.oriel.sim.litmus.LitmusTest}, the
 * answer a {@link dev.oriel.sim.litmus.LitmusVerdict}.
 */
@NullMarked
package dev.oriel.sim.litmus;

import org.jspecify.annotations.NullMarked;
