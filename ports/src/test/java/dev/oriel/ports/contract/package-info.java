/** The requirements on every implementation of a port, as abstract suites to subclass. */
@NullMarked
package dev.oriel.ports.contract;

import org.jspecify.annotations.NullMarked;
