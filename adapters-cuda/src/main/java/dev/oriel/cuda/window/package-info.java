/**
 * Windows whose bytes are in GPU memory: the ranks are threads of one process, and each call is
 * made by the thread that calls it.
 */
@NullMarked
package dev.oriel.cuda.window;

import org.jspecify.annotations.NullMarked;
