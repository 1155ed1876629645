/**
 * Lets the ranks of a job meet: in one process, or over TCP through rank 0. The package {@code
 * launch} reads rank 0's address from a launcher's variables.
 *
 * <p>The only package of this module that touches sockets, the clock or anything that blocks. It
 * creates no thread: the calling thread does the work.
 */
@NullMarked
package dev.oriel.bootstrap;

import org.jspecify.annotations.NullMarked;
