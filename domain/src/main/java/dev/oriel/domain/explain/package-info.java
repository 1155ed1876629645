/**
 * What a program does, in words: the operations of each lane with every operand's value, and of
 * each wait who ends it and which bytes it covers. It follows the text of one launch; what can
 * happen in between is for an exploration to say.
 */
package dev.oriel.domain.explain;
