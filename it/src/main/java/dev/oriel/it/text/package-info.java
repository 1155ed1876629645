/** Commands for the texts of programs: a first one, and their layout. */
@NullMarked
package dev.oriel.it.text;

import org.jspecify.annotations.NullMarked;
