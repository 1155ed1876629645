/**
 * The processes of a world on one host: they connect, exchange memory, agree on the end of an
 * instance, and notice the loss of one.
 */
@NullMarked
package dev.oriel.cuda.process;

import org.jspecify.annotations.NullMarked;
