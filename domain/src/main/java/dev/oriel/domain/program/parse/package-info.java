/**
 * Reads the text form: words, operands, places, operations, hooks. Start at {@link
 * dev.oriel.domain.program.parse.FormParser}; {@code it/docs/reference/language.md} describes the
 * language. Uses the data and the check, which every form passes before it is returned.
 */
package dev.oriel.domain.program.parse;
