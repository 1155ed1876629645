/** {@code oriel litmus} and {@code sample}: PTX tests decided, and run on GPUs. */
@NullMarked
package dev.oriel.it.litmus;

import org.jspecify.annotations.NullMarked;
