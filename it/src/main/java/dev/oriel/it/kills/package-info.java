/** {@code oriel kills}: kills ranks at random moments. */
@NullMarked
package dev.oriel.it.kills;

import org.jspecify.annotations.NullMarked;
