/**
 * A rank's requests to its network interface, in order and with every operand known: first in the
 * program's own names, then in addresses and keys.
 */
@NullMarked
package dev.oriel.ibverbs.post;

import org.jspecify.annotations.NullMarked;
