/**
 * Where the caller's memory lies: in one buffer for what goes in and what comes out, and at any
 * byte. Either is another form of the same program, so it is checked, printed, named by digests and
 * tokens, and run as any other.
 */
package dev.oriel.domain.placement;
