/**
 * Copy lanes as chains: what a copy engine does by itself, and what a kernel of one warp does for
 * it in between. Programs in, chains out: no driver, no GPU.
 */
@NullMarked
package dev.oriel.cuda.chain;

import org.jspecify.annotations.NullMarked;
