/**
 * What each knows of all others, as rows of counters: {@link dev.oriel.sim.machine.rows.Rows} that
 * change, laid out flat or with what they have in common shared, and {@link
 * dev.oriel.sim.machine.rows.KeptRows} as they were at one moment.
 *
 * <p>Knows nothing of programs, lanes or clocks: which row is whose says the layout.
 */
@NullMarked
package dev.oriel.sim.machine.rows;

import org.jspecify.annotations.NullMarked;
