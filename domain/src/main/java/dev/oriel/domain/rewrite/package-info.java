/**
 * Changing forms: the one place that knows which parts every operation has, and where each
 * operation stands. Whoever adds an operation adds one case to {@link
 * dev.oriel.domain.rewrite.Parts#rewrite}.
 */
package dev.oriel.domain.rewrite;
