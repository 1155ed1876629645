/** Compiles micro-operations to PTX. Text in, text out: no driver, no GPU. */
@NullMarked
package dev.oriel.cuda.ptx;

import org.jspecify.annotations.NullMarked;
