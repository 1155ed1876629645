/**
 * How the ranks of a job meet: in one process, or over TCP through rank 0. Where a launcher says
 * that rank 0 is, {@code launch} reads.
 *
 * <p>The only package of this module that touches sockets, the clock or anything that blocks. It
 * creates no thread: whoever calls does the work.
 */
@NullMarked
package dev.oriel.bootstrap;

import org.jspecify.annotations.NullMarked;
