/**
 * Micro-operations: what a lane of a form really executes on a kind of link.
 *
 * <p>The simulator executes them, PTX and work requests are printed from them, so what is explored
 * is what they print.
 */
package dev.oriel.domain.lowering;
