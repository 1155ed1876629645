/** The {@code oriel} command: the one place where adapters are combined. */
@NullMarked
package dev.oriel.it;

import org.jspecify.annotations.NullMarked;
