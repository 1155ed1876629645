/** Runs small concurrent kernels very often, to observe which outcomes GPUs really produce. */
@NullMarked
package dev.oriel.cuda.sampling;

import org.jspecify.annotations.NullMarked;
