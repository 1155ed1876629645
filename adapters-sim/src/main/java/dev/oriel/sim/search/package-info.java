/** Strategies that choose executions: one after another, at random, or all of them. */
@NullMarked
package dev.oriel.sim.search;

import org.jspecify.annotations.NullMarked;
