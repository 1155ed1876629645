/** Ports that break the rules, except that they are null-marked. */
@NullMarked
package dev.oriel.it.broken.ports;

import org.jspecify.annotations.NullMarked;
