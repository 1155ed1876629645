/** How files are written. */
@NullMarked
package dev.oriel.sim.file;

import org.jspecify.annotations.NullMarked;
