/** The input and output of one run of the command: a person at a terminal, or files and pipes. */
@NullMarked
package dev.oriel.it.terminal;

import org.jspecify.annotations.NullMarked;
