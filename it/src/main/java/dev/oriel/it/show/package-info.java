/** {@code oriel show} and {@code explain}: programs told. */
@NullMarked
package dev.oriel.it.show;

import org.jspecify.annotations.NullMarked;
