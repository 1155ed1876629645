/**
 * Windows whose bytes are in GPU memory, among ranks of one host: threads, processes or both. Each
 * call is made by the thread that calls it.
 */
@NullMarked
package dev.oriel.cuda.window;

import org.jspecify.annotations.NullMarked;
