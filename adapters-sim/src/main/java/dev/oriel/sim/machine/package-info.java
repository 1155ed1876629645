/**
 * The machine on which programs are explored: lanes, network queues and callers as agents of one
 * transition system, under PTX scopes and queue rules, with every access checked against
 * happens-before.
 *
 * <pre>
 * Model     what never changes: who the agents are, where everything lies in the state
 * State     what changes, in flat arrays: copied, hashed and restored as a whole
 * Clocks    who is ordered before whom          Shadow   which accesses are not
 * Words     values of synchronising words       Memory   bytes with their provenance
 * Lanes     what a lane does next               Queues   what a network interface does next
 * Proxies   who posts for lanes                 Keys     which memory requests may touch
 * Callers   who launches, and judges outputs    Machine  all of them: enabled agents, one step
 * Locality  which parts of a state a step       Recall   steps that were taken before are looked up
 *           may read or write
 * </pre>
 *
 * A class here owns one part of the state and may write no other part.
 *
 * <p>Where it differs from PTX: a word has one list of values for all, so a fence of any scope
 * waits until a lane's late updates have happened for everybody, which PTX promises to its scope
 * alone (an outcome may be missing). And a fence hands on what releases arranged, not that a
 * relaxed store was observed: a third lane may still find the value before it (an outcome too
 * many).
 */
@NullMarked
package dev.oriel.sim.machine;

import org.jspecify.annotations.NullMarked;
