/** The simulator under JMH. */
@NullMarked
package dev.oriel.it.bench;

import org.jspecify.annotations.NullMarked;
