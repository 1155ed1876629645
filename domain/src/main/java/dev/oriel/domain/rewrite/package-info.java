/**
 * Changes of forms: the only place that rebuilds operations from their parts, and that knows the
 * place of each operation. A new operation needs one case in {@link
 * dev.oriel.domain.rewrite.PartTraversal#rewrite} for all code that uses it, and one in each switch
 * that gives operations a meaning; the compiler finds them.
 */
package dev.oriel.domain.rewrite;
