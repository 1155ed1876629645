/**
 * What several commands take and how they say it: programs, worlds, searches, machines, numbers.
 */
@NullMarked
package dev.oriel.it.options;

import org.jspecify.annotations.NullMarked;
