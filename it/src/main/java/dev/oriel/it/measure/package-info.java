/** {@code oriel bench}: times measured, peers beside them. */
@NullMarked
package dev.oriel.it.measure;

import org.jspecify.annotations.NullMarked;
