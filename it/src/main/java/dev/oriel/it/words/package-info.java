/** The output of commands for a person: labelled facts in few lines. */
@NullMarked
package dev.oriel.it.words;

import org.jspecify.annotations.NullMarked;
