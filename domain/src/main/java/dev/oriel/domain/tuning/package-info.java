/**
 * Which program, with how many lanes, does a collective best: a table of block counts, and a choice
 * among candidates by a cost that the caller passes. Everything is a function of facts that all
 * ranks share, so ranks choose alike without asking one another.
 */
package dev.oriel.domain.tuning;
