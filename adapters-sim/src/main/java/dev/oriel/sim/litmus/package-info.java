/**
 * Litmus tests under the PTX memory model: which outcomes of a small program a GPU may show.
 *
 * <p>Text is read by {@link dev.oriel.sim.litmus.text.LitmusParser}, decided by {@link
 * dev.oriel.sim.litmus.LitmusChecker}. A test is a {@link dev.oriel.sim.litmus.test.LitmusTest},
 * the answer a {@link dev.oriel.sim.litmus.answer.LitmusVerdict}.
 *
 * <p>Two engines share the reading of a test and nothing of the model. The axiomatic one, {@code
 * axioms}, goes through whole executions and checks relations. The operational one, {@code steps},
 * takes steps: an agent knows what happened before it, a write carries heads that acquires join,
 * updates are posted. That is how {@code dev.oriel.sim.machine} runs programs; it could not run
 * these tests itself, since to it a race is the end, messages of a word are only ever appended, and
 * there are neither thread block scopes, proxies nor branches. What the machine lacks is added,
 * what it has works alike: {@code Knowledge} is its clocks, {@code Head} its heads, {@code History}
 * its words, {@code Rules} its transitions.
 */
@NullMarked
package dev.oriel.sim.litmus;

import org.jspecify.annotations.NullMarked;
