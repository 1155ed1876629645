/**
 * {@code oriel export}: programs as folders that C and Python launch, with kernels, a description,
 * loaders and a test.
 */
@NullMarked
package dev.oriel.it.export;

import org.jspecify.annotations.NullMarked;
