/**
 * Which program, with how many lanes, is best for a collective: a table of block counts, and a
 * choice among candidates by the caller's cost model. Everything is a function of facts that all
 * ranks share, so ranks choose alike without communication.
 */
package dev.oriel.domain.tuning;
