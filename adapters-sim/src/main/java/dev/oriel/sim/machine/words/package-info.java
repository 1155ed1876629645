/**
 * The values of synchronising words: their writes, in coherence order, and what reading one
 * acquires. Holders of locks and values that awaits may miss are found here.
 */
@NullMarked
package dev.oriel.sim.machine.words;

import org.jspecify.annotations.NullMarked;
