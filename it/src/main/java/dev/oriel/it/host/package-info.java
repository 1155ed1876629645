/** {@code oriel doctor} and {@code bundle}: the requirements of a host. */
@NullMarked
package dev.oriel.it.host;

import org.jspecify.annotations.NullMarked;
