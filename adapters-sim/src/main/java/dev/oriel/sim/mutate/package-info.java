/**
 * Programs that are wrong in one place, made from right ones: what a checker of programs is
 * measured with.
 */
@NullMarked
package dev.oriel.sim.mutate;

import org.jspecify.annotations.NullMarked;
