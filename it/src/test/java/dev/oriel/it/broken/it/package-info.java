/** A command that breaks no rule. */
@NullMarked
package dev.oriel.it.broken.it;

import org.jspecify.annotations.NullMarked;
