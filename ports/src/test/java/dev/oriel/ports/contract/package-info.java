/** What every implementation of a port must do, as abstract suites to subclass. */
@NullMarked
package dev.oriel.ports.contract;

import org.jspecify.annotations.NullMarked;
