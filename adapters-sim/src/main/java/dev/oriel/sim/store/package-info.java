/** Stores that last as long as their process. */
@NullMarked
package dev.oriel.sim.store;

import org.jspecify.annotations.NullMarked;
