/** Runs programs on NVLink GPUs: the module that an embedder adds, and what it builds. */
@NullMarked
package dev.oriel.cuda;

import org.jspecify.annotations.NullMarked;
