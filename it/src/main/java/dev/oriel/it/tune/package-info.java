/** {@code oriel tune} and {@code sim}: predicted times, and the choice of programs by them. */
@NullMarked
package dev.oriel.it.tune;

import org.jspecify.annotations.NullMarked;
