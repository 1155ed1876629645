/**
 * The smallest machine there is: lanes take turns, one operation at a time, visible at once. It
 * shows what an adapter must provide, and is fast enough for examples.
 */
@NullMarked
package dev.oriel.sim.sequential;

import org.jspecify.annotations.NullMarked;
