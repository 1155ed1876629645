/** The words of findings and of recorded executions. */
@NullMarked
package dev.oriel.sim.machine.report;

import org.jspecify.annotations.NullMarked;
