/** Writing of files. */
@NullMarked
package dev.oriel.sim.file;

import org.jspecify.annotations.NullMarked;
