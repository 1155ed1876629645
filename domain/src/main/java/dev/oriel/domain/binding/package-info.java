/**
 * Forms made concrete: world and parameter values, ranks expanded one at a time, and the proof that
 * no region leaves its buffer and every wait has a matching signal.
 */
package dev.oriel.domain.binding;
