/**
 * What makes a form well made before any world is known: names, spaces, orders, joins, sizes and
 * bounds, and the wording of what is not. {@link dev.oriel.domain.program.check.Validator} is the
 * way in. Sees the data alone: a form may come from a text, from Java or from a change of another.
 */
package dev.oriel.domain.program.check;
