/**
 * Windows whose bytes are in GPU memory, among ranks of one host: threads, processes or both. The
 * calling thread makes each copy itself.
 */
@NullMarked
package dev.oriel.cuda.window;

import org.jspecify.annotations.NullMarked;
