/** {@code oriel suite}: every program over a grid, with every byte checked. */
@NullMarked
package dev.oriel.it.suite;

import org.jspecify.annotations.NullMarked;
