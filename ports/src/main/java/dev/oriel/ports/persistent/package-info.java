/**
 * Persistent calls over a window: requests that live as long as they are called or replayed, and
 * counters that no recording contains.
 */
@NullMarked
package dev.oriel.ports.persistent;

import org.jspecify.annotations.NullMarked;
