/** {@code oriel bench}: measured times, next to those of peers. */
@NullMarked
package dev.oriel.it.measure;

import org.jspecify.annotations.NullMarked;
