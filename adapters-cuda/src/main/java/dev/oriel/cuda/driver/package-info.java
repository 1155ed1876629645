/**
 * The one package that knows the CUDA driver: JCuda for what it has, foreign functions for the
 * rest. Nothing outside sees a type of either.
 */
@NullMarked
package dev.oriel.cuda.driver;

import org.jspecify.annotations.NullMarked;
