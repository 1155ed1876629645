/** {@code oriel doctor} and {@code bundle}: what a host needs. */
@NullMarked
package dev.oriel.it.host;

import org.jspecify.annotations.NullMarked;
