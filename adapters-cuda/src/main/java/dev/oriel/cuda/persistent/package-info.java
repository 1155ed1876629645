/**
 * Persistent calls as kernels: their epochs are in GPU memory, so that graphs which recorded them
 * are replayed for ever, by whoever has them.
 */
@NullMarked
package dev.oriel.cuda.persistent;

import org.jspecify.annotations.NullMarked;
