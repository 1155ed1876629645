/**
 * The smallest machine: lanes take turns, one operation at a time, visible at once. It shows the
 * duties of an adapter, and is fast enough for examples.
 */
@NullMarked
package dev.oriel.sim.sequential;

import org.jspecify.annotations.NullMarked;
