/** How ranks make something together: steps that may fail on one of them and end alike on all. */
@NullMarked
package dev.oriel.ports.setup;

import org.jspecify.annotations.NullMarked;
