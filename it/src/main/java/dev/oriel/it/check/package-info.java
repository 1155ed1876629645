/** {@code oriel check}, {@code replay} and {@code merge}: exploration of programs. */
@NullMarked
package dev.oriel.it.check;

import org.jspecify.annotations.NullMarked;
