/**
 * Searches of every order of every step, level by level, by several workers: what they exchange,
 * what is kept in a folder, and the interface of what runs them.
 *
 * <p>A level has the states that are first reached by as many steps. A state travels as a node: the
 * decisions that lead to it. Everything here follows from the program, its options and the version
 * of Oriel alone, so a lost worker's share can be computed again.
 */
@NullMarked
package dev.oriel.sim.levels;

import org.jspecify.annotations.NullMarked;
