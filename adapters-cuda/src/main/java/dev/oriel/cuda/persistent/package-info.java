/**
 * Persistent calls as kernels: their epochs are in GPU memory, and thus graphs that recorded them
 * can be replayed without limit, by any holder.
 */
@NullMarked
package dev.oriel.cuda.persistent;

import org.jspecify.annotations.NullMarked;
