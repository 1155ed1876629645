/**
 * What searches and time see of a step: the words that it reads or changes, and its kind and size.
 */
@NullMarked
package dev.oriel.sim.machine.step;

import org.jspecify.annotations.NullMarked;
