/**
 * Weak memory by happens-before: who is ordered before whom under PTX scopes and queue rules, and
 * which accesses are not.
 *
 * <p>Every access of a program either commutes with the others or races with one, and a race shows
 * in every order of the same synchronisation. So lanes run as far as they can, one after another,
 * and only what synchronisation leaves open is a choice.
 */
@NullMarked
package dev.oriel.sim.weak;

import org.jspecify.annotations.NullMarked;
