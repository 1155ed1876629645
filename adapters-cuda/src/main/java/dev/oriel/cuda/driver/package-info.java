/**
 * The only package that calls the CUDA driver: by JCuda where JCuda has the function, else by
 * foreign functions. No type of either leaves it.
 */
@NullMarked
package dev.oriel.cuda.driver;

import org.jspecify.annotations.NullMarked;
