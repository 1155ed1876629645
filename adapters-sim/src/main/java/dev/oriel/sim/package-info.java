/** The simulator as an adapter, to be added to an app's component. */
@NullMarked
package dev.oriel.sim;

import org.jspecify.annotations.NullMarked;
