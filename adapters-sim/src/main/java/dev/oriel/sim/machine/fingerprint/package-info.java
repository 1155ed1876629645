/**
 * Digests of states and bytes: the same on every machine and in every run.
 *
 * <p>Depends on plain Java only.
 */
@NullMarked
package dev.oriel.sim.machine.fingerprint;

import org.jspecify.annotations.NullMarked;
