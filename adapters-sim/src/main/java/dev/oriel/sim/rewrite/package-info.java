/**
 * Changing forms: the one place that knows which parts every operation has, and where each
 * operation stands. Whoever adds an operation adds one case to {@link
 * dev.oriel.sim.rewrite.Parts#rewrite}.
 */
@NullMarked
package dev.oriel.sim.rewrite;

import org.jspecify.annotations.NullMarked;
