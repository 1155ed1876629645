/** The simulator as an adapter: what an app adds to its component. */
@NullMarked
package dev.oriel.sim;

import org.jspecify.annotations.NullMarked;
