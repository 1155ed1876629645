/**
 * Changing forms: the one place that rebuilds operations from their parts, and that knows where
 * each operation stands. Whoever adds an operation adds one case to {@link
 * dev.oriel.domain.rewrite.Parts#rewrite} for all that is written in terms of it, and one to each
 * switch that gives operations a meaning: the compiler names them.
 */
package dev.oriel.domain.rewrite;
