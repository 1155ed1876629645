/**
 * The interface to libibverbs: layouts of its structs, encoding of work requests, the library
 * itself. The only package of this module that uses {@code java.lang.foreign}.
 */
@NullMarked
package dev.oriel.ibverbs.verbs;

import org.jspecify.annotations.NullMarked;
