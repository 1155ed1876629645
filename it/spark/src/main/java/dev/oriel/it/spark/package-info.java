/**
 * Exhaustive search on Apache Spark, which recomputes what a lost worker held.
 *
 * <p>The only package that sees Spark. It is a module of its own, which no bundle holds.
 */
@NullMarked
package dev.oriel.it.spark;

import org.jspecify.annotations.NullMarked;
