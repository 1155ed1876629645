/** {@code oriel tune} and {@code sim}: times predicted, programs chosen. */
@NullMarked
package dev.oriel.it.tune;

import org.jspecify.annotations.NullMarked;
