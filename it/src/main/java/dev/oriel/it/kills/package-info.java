/** {@code oriel kills}: ranks killed at random moments. */
@NullMarked
package dev.oriel.it.kills;

import org.jspecify.annotations.NullMarked;
