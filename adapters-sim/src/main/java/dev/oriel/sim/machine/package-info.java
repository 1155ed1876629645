/**
 * The machine on which programs are explored. Lanes, network queues and callers are agents of one
 * transition system, under PTX scopes and queue rules. Every access is checked against
 * happens-before.
 *
 * <p>Six packages lie below it and need no state: {@code fingerprint}, {@code rows}, {@code
 * finding}, {@code terms}, {@code provenance} and {@code layout}, in this order. This package holds
 * {@code MachineState} and every class that changes it. They form one package because no other
 * package may read a state.
 *
 * <pre>
 * Model            layout     constants: code, agents and the layout of a state
 *                  State      all that changes, in flat arrays: copied, hashed, restored as a whole
 *                  Roster     the numbers of all agents
 *                  Machine    all agents: which are enabled, one step, the end
 * Order            Clocks     happens-before, as vector clocks
 *                  rows       storage of vector clocks
 *                  Shadow     the race detector
 *                  Sight      visibility of interface writes; Known: observation order of PTX
 * Memory           Memory     bytes with their provenance
 *                  Words      values of synchronising words, and what reading one acquires
 *                  WordWrites their writes; Heads: release clocks; Locks: holders of locks
 * Lanes            Lanes      the next step of a lane: SlotSteps, WordSteps, Copies, Posting
 *                  Readiness  whether it is enabled; OpenSteps: whether its time matters
 *                  Updates    atomics that take effect after their issue
 * Interfaces       Queues     requests as lanes post them; RequestRing: their layout
 *                  Stages     the stages of a request: FetchStage, PlaceStage, ReadStage,
 *                             FillStage; QueueOrder: what orders each of them
 *                  Completions what lanes learn of completed requests
 *                  Proxies    threads that post for lanes, in a ProxyStage
 *                  Keys       memory that requests may access
 * Callers          Callers    launches, and the check of outputs
 * Memoised steps   Recall     looks up steps that were taken before
 *                  Locality   the parts of a state that a step may read or write
 * Findings         Reports, Deadlock, Finding
 * </pre>
 *
 * <p>A class here owns one part of the state and may write no other part.
 *
 * <p>The machine differs from PTX in one point: a lane's loads complete before its later stores.
 * The exceptions are late atomics, which take effect by the next fence or release with a scope
 * wider than the block. The verdict names programs for which this may hide an outcome (load
 * buffering).
 */
@NullMarked
package dev.oriel.sim.machine;

import org.jspecify.annotations.NullMarked;
