/**
 * Forms made concrete: world and parameter values, ranks expanded one at a time, and the proof that
 * no region leaves its buffer and no wait is without its signal.
 */
package dev.oriel.domain.binding;
