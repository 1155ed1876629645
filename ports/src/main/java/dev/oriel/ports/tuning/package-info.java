/** Stored choices: looked up first, and computed if no usable one is stored. */
@NullMarked
package dev.oriel.ports.tuning;

import org.jspecify.annotations.NullMarked;
