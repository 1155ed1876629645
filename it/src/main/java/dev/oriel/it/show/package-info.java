/** {@code oriel show} and {@code explain}: programs printed and described. */
@NullMarked
package dev.oriel.it.show;

import org.jspecify.annotations.NullMarked;
