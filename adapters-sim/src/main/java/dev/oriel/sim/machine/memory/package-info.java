/**
 * Bytes with their provenance, words of plain memory, and the memory that requests may name. {@link
 * dev.oriel.sim.machine.memory.SharedSubsystems} joins them with clocks, words and reports for all
 * agents.
 */
@NullMarked
package dev.oriel.sim.machine.memory;

import org.jspecify.annotations.NullMarked;
