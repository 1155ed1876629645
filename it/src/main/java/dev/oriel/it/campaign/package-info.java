/** {@code oriel campaign}: the executions of one check as the jobs of a cluster. */
@NullMarked
package dev.oriel.it.campaign;

import org.jspecify.annotations.NullMarked;
