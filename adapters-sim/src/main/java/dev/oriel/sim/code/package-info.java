/**
 * Lowered programs as flat arrays, which every driver of the simulator executes without allocation.
 */
@NullMarked
package dev.oriel.sim.code;

import org.jspecify.annotations.NullMarked;
