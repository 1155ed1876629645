/**
 * Programs as data: forms, their operations and operands, and the one text that stands for each.
 *
 * <p>A {@link dev.oriel.domain.program.Form} is rank-symbolic; a {@link
 * dev.oriel.domain.binding.Program} is a form bound to a world, a topology and parameter values.
 * The printer lies here since a form's digest is that of its text. What reads texts ({@code
 * parse}), says what is well made ({@code check}) and writes forms in Java ({@code build}) lies on
 * top, and nothing here knows of it.
 */
package dev.oriel.domain.program;
