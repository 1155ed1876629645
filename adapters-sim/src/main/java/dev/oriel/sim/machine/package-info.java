/**
 * The machine on which programs are explored. Lanes, network queues and callers are agents of one
 * transition system, under PTX scopes and queue rules. Every access is checked against
 * happens-before.
 *
 * <p>This package holds {@link dev.oriel.sim.machine.Simulation}, which searches call. The packages
 * below it, bottom first; each may use those before it and none after it:
 *
 * <pre>
 * Data         fingerprint  hashes of states
 *              rows         storage of vector clocks
 *              finding      findings and recorded executions
 *              settings     assumptions and settings of an execution
 *              provenance   which inputs made a byte
 *              layout       constants: code, agents and the layout of a state
 *              step         what a step touches, and its size
 *              driver       what rank code and the machine agree on
 * State        state        MachineState: all that changes, copied, hashed, restored as a whole
 *              clocks       happens-before, as vector clocks
 *              report       the words of findings
 *              fault        faults of a plan
 *              words        values of synchronising words, and what reading one acquires
 *              race         the race detector
 *              memory       bytes with their provenance
 * Agents       nic          queues of interfaces, and the stages of their requests
 *              lane         steps of lanes, by opcode
 *              caller       launches, and the check of outputs
 *              deadlock     why no agent is enabled
 * Reductions   launch       states that differ only in how many launches preceded
 *              symmetry     states that differ only in the names of ranks
 * All          agent        SimulatedMachine: which agents are enabled, one step, the end
 *              memo         steps that were taken before; states as versions of their parts
 *              rankcode     lanes that rank code drives
 * </pre>
 *
 * <p>A class owns one part of the state and may write no other part. No package outside may use
 * {@code rows}, {@code provenance}, {@code layout}, or any from {@code state} on: they are public
 * only for the machine.
 *
 * <p>The machine differs from PTX in one point: a lane's loads complete before its later stores.
 * The exceptions are late atomics, which take effect by the next fence or release with a scope
 * wider than the block. The verdict names programs for which this may hide an outcome (load
 * buffering).
 */
@NullMarked
package dev.oriel.sim.machine;

import org.jspecify.annotations.NullMarked;
