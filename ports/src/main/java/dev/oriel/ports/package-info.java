/** What the domain needs of a machine, and what an embedder calls: interfaces and values only. */
@NullMarked
package dev.oriel.ports;

import org.jspecify.annotations.NullMarked;
