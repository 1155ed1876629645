/** Runs small concurrent kernels very often, to see what GPUs really do. */
@NullMarked
package dev.oriel.cuda.sampling;

import org.jspecify.annotations.NullMarked;
