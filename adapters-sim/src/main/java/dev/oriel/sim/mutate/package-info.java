/**
 * Programs that are wrong in one place, made from correct ones, to measure a checker of programs.
 */
@NullMarked
package dev.oriel.sim.mutate;

import org.jspecify.annotations.NullMarked;
