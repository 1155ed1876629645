/**
 * Reads the text form: words, operands, places, operations, hooks. {@link
 * dev.oriel.domain.program.parse.Parser} is the way in, and {@code LANGUAGE.md} says what it takes.
 * Sees the data and the check, which every form passes before it leaves.
 */
package dev.oriel.domain.program.parse;
