/**
 * Hooks: the few per cent of a transfer that users write themselves, as a typed value expression
 * and an index map for each array.
 *
 * <p>A hook gives each output element on its own, from the elements that its sources' maps name:
 * one hook is data that a simulator evaluates, a compiler emits and a test compares. What one
 * element would need from many (a histogram such as tokens per expert, the largest magnitude of a
 * block) is a reduction and no hook.
 */
package dev.oriel.domain.hook;
