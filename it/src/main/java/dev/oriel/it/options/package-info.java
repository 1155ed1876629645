/**
 * Options and wording shared by several commands: programs, worlds, searches, machines, numbers.
 */
@NullMarked
package dev.oriel.it.options;

import org.jspecify.annotations.NullMarked;
