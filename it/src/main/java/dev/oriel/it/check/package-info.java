/** {@code oriel check}, {@code replay} and {@code merge}: programs explored. */
@NullMarked
package dev.oriel.it.check;

import org.jspecify.annotations.NullMarked;
