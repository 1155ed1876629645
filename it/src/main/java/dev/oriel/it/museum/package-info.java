/** {@code oriel museum}: failures of others, shown and repaired. */
@NullMarked
package dev.oriel.it.museum;

import org.jspecify.annotations.NullMarked;
