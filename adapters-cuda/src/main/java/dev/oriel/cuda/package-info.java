/**
 * Runs programs on NVLink GPUs: the Dagger module that an embedder adds, and the executor that it
 * provides.
 */
@NullMarked
package dev.oriel.cuda;

import org.jspecify.annotations.NullMarked;
