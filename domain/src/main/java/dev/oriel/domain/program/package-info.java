/**
 * Programs as data: forms, their operations and operands, and the one canonical text of each.
 *
 * <p>A {@link dev.oriel.domain.program.Form} is rank-symbolic; a {@link
 * dev.oriel.domain.binding.Program} is a form bound to a world, a topology and parameter values.
 * The printer is in this package since a form's digest is that of its text. The packages {@code
 * parse} (reads texts), {@code check} (validates) and {@code build} (writes forms in Java) depend
 * on this one, and it does not depend on them.
 */
package dev.oriel.domain.program;
