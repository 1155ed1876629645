/**
 * Protocols as data: forms, their operations and operands, the text form, validation and bindings.
 *
 * <p>A {@link dev.oriel.domain.program.Form} is rank-symbolic; a {@link
 * dev.oriel.domain.binding.Program} is a form bound to a world and parameter values.
 */
package dev.oriel.domain.program;
