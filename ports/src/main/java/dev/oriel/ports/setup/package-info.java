/**
 * Collective steps that may fail on one rank and end the same way on all.
 *
 * <p>Internals from which adapters are built; public because adapters are separate modules. An
 * embedder uses {@code dev.oriel.ports} and the classes of an adapter; nothing in here is promised
 * to stay as it is.
 */
@NullMarked
package dev.oriel.ports.setup;

import org.jspecify.annotations.NullMarked;
