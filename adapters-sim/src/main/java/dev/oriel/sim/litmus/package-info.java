/**
 * Litmus tests under the PTX memory model: which outcomes of a small program a GPU may show.
 *
 * <p>{@link dev.oriel.sim.litmus.text.LitmusParser} reads the text, {@link
 * dev.oriel.sim.litmus.LitmusChecker} decides it. A test is a {@link
 * dev.oriel.sim.litmus.test.LitmusTest}, the answer a {@link
 * dev.oriel.sim.litmus.answer.LitmusVerdict}.
 *
 * <p>Two engines share the parsed test and no part of the model. The axiomatic one, {@code axioms},
 * explores whole executions and checks relations. The operational one, {@code steps}, takes steps:
 * an agent knows the accesses that happened before its next step, a write carries release clocks
 * that acquires join, and updates are posted. {@code dev.oriel.sim.machine} runs programs in the
 * same way. It cannot run these tests itself: it stops at a race, only appends messages of a word,
 * and has neither thread block scopes, proxies nor branches. The operational engine adds the
 * missing parts and agrees with the machine on the others: {@code Knowledge} corresponds to its
 * clocks, {@code Head} to its release clocks, {@code History} to its words, {@code Rules} to its
 * transitions.
 */
@NullMarked
package dev.oriel.sim.litmus;

import org.jspecify.annotations.NullMarked;
