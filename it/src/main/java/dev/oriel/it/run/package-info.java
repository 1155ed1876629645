/** {@code oriel run}: launches of a program, checked and timed. */
@NullMarked
package dev.oriel.it.run;

import org.jspecify.annotations.NullMarked;
