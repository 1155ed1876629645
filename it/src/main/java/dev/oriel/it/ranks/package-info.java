/** This command again, in a process of its own for each rank. */
@NullMarked
package dev.oriel.it.ranks;

import org.jspecify.annotations.NullMarked;
