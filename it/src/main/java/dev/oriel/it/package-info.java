/** The {@code oriel} command: the one place where adapters meet. */
@NullMarked
package dev.oriel.it;

import org.jspecify.annotations.NullMarked;
