/** Questions and results of a test: the model, the budget, outcomes, the verdict. */
@NullMarked
package dev.oriel.sim.litmus.answer;

import org.jspecify.annotations.NullMarked;
