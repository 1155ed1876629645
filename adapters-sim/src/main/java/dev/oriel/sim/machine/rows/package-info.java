/**
 * Vector clocks as rows of counters. {@link dev.oriel.sim.machine.rows.ClockTable} change; they are
 * stored flat, or share what they have in common. {@link dev.oriel.sim.machine.rows.ClockSnapshots}
 * are snapshots.
 *
 * <p>This package knows nothing of programs or lanes: the layout says which agent a row belongs to.
 */
@NullMarked
package dev.oriel.sim.machine.rows;

import org.jspecify.annotations.NullMarked;
