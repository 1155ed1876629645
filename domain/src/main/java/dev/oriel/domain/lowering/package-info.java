/**
 * Micro-operations: the steps that a lane of a form really executes on a kind of link.
 *
 * <p>The simulator executes the same micro-operations from which PTX and work requests are
 * generated, so an exploration covers the generated code.
 */
package dev.oriel.domain.lowering;
