/**
 * A litmus test as data: threads and where they are placed, instructions, locations, the condition
 * that its outcomes are asked for.
 */
@NullMarked
package dev.oriel.sim.litmus.test;

import org.jspecify.annotations.NullMarked;
