/** {@code oriel mutate}: small mistakes made in a program. */
@NullMarked
package dev.oriel.it.mutate;

import org.jspecify.annotations.NullMarked;
