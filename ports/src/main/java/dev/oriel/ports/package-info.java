/**
 * The interfaces and values through which the domain uses a machine and an embedder calls the
 * library.
 */
@NullMarked
package dev.oriel.ports;

import org.jspecify.annotations.NullMarked;
