/**
 * The processes of a world on one host: how they find each other, hand over memory, agree, and
 * notice that one of them is gone.
 */
@NullMarked
package dev.oriel.cuda.process;

import org.jspecify.annotations.NullMarked;
