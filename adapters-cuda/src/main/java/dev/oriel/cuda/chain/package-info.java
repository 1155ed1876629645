/**
 * Copy lanes as chains: copies that a copy engine runs, and between them kernels of one warp that
 * signal and wait. Input: programs; output: chains. No driver, no GPU.
 */
@NullMarked
package dev.oriel.cuda.chain;

import org.jspecify.annotations.NullMarked;
