/**
 * The machine on which programs are explored: lanes, network queues and callers as agents of one
 * transition system, under PTX scopes and queue rules, with every access checked against
 * happens-before.
 *
 * <p>Below it, each with a package of its own and in this order, {@code fingerprint}, {@code rows},
 * {@code finding}, {@code terms}, {@code provenance} and {@code layout}: what can be said without a
 * state. Here is what changes, {@code State}, and all who change it: they are one package since
 * nobody else may look into a state.
 *
 * <pre>
 * What there is    layout     what never changes: code, agents, where everything lies in the state
 *                  State      what changes, in flat arrays: copied, hashed and restored as a whole
 *                  Roster     the numbers of all agents
 *                  Machine    all of them: who can go on, one step, the end
 * Order            Clocks     who is ordered before whom
 *                  rows       what each knows of all others
 *                  Shadow     which accesses are not
 *                  Sight      who sees what an interface wrote; Known: or was found by a strong read
 * Memory           Memory     bytes with their provenance
 *                  Words      values of synchronising words, and what finding one orders
 *                  WordWrites changes of them; Heads: what a change releases; Locks: who holds one
 * Lanes            Lanes      what a lane does next: SlotSteps, WordSteps, Copies, Posting
 *                  Readiness  whether it can; OpenSteps: whether it matters when
 *                  Updates    changes that happen later than they are issued
 * Interfaces       Queues     requests as lanes post them; RequestRing: where they lie
 *                  Stages     what an interface does with them: FetchStage, PlaceStage, ReadStage,
 *                             FillStage; QueueOrder: what each stands behind
 *                  Completions what lanes learn of that
 *                  Proxies    who posts for lanes, in a ProxyStage
 *                  Keys       which memory requests may touch
 * Callers          Callers    who launches, and judges outputs
 * Steps again      Recall     steps that were taken before are looked up
 *                  Locality   which parts of a state a step may read or write
 * What is wrong    Reports, Deadlock, Finding
 * </pre>
 *
 * A class here owns one part of the state and may write no other part.
 *
 * <p>Where it differs from PTX: a lane's loads end before its later stores, but for late updates,
 * which happen by the next fence or release that reaches further than the block. The verdict names
 * programs in which that may leave out an outcome (load buffering).
 */
@NullMarked
package dev.oriel.sim.machine;

import org.jspecify.annotations.NullMarked;
