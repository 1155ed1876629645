/**
 * The rules of a well-made form before any world is known: names, spaces, orders, joins, sizes and
 * bounds, and the wording of errors. Start at {@link dev.oriel.domain.program.check.FormValidator}.
 * Uses only the data: a form may come from a text, from Java or from a change of another.
 */
package dev.oriel.domain.program.check;
