/** {@code oriel museum}: real failures, shown and repaired. */
@NullMarked
package dev.oriel.it.museum;

import org.jspecify.annotations.NullMarked;
