/** Choices that are kept: looked up first, made anew where nothing usable is known. */
@NullMarked
package dev.oriel.ports.tuning;

import org.jspecify.annotations.NullMarked;
