/**
 * Describes a program in words: the operations of each lane with every operand's value, and for
 * each wait the rank that ends it and the bytes that it covers. It follows the text of one launch;
 * only an exploration shows other interleavings.
 */
package dev.oriel.domain.explain;
