/** Which of the possible next steps to take: one after another, at random, or all of them. */
@NullMarked
package dev.oriel.sim.explore;

import org.jspecify.annotations.NullMarked;
