/**
 * The border to libibverbs: layouts of its structs, work requests as bytes, the library itself. The
 * only package of this module that touches {@code java.lang.foreign}.
 */
@NullMarked
package dev.oriel.ibverbs.verbs;

import org.jspecify.annotations.NullMarked;
