/**
 * Calls over a window that are made again and again: with requests that live as long as somebody
 * calls or replays them, and counts that no recording holds.
 */
@NullMarked
package dev.oriel.ports.persistent;

import org.jspecify.annotations.NullMarked;
