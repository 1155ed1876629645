/**
 * A litmus test as data: threads and their placement, instructions, locations, and the condition on
 * outcomes.
 */
@NullMarked
package dev.oriel.sim.litmus.test;

import org.jspecify.annotations.NullMarked;
