/**
 * Hooks: the small part of a transfer that users write themselves, as a typed value expression and
 * an index map for each array.
 *
 * <p>A hook computes each output element separately, from the elements that its sources' maps name.
 * It is data: a simulator evaluates it, a compiler emits it and a test compares it. A value that
 * depends on many elements (a histogram such as tokens per expert, the largest magnitude of a
 * block) is a reduction and not a hook.
 */
package dev.oriel.domain.hook;
