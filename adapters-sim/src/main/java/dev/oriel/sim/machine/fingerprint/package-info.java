/**
 * Numbers that stand for what a state or a byte is: the same on every machine and in every run.
 *
 * <p>Touches nothing but plain Java.
 */
@NullMarked
package dev.oriel.sim.machine.fingerprint;

import org.jspecify.annotations.NullMarked;
