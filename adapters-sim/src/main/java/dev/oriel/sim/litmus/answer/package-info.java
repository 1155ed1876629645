/** What is asked of a test and what was found: the model, the budget, outcomes, the verdict. */
@NullMarked
package dev.oriel.sim.litmus.answer;

import org.jspecify.annotations.NullMarked;
