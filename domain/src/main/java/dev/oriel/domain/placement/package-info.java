/**
 * The placement of the caller's memory: one buffer for input and output, and a start at any byte.
 * Either makes another form of the same program, which is checked, printed, named by digests and
 * tokens, and run like any other.
 */
package dev.oriel.domain.placement;
