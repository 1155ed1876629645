/**
 * The operational engine: threads take steps, and their knowledge determines which writes they may
 * read.
 */
@NullMarked
package dev.oriel.sim.litmus.steps;

import org.jspecify.annotations.NullMarked;
