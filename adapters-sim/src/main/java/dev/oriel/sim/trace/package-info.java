/**
 * One recorded execution, and its pictures: a table, a time line, vector clocks, a page.
 *
 * <p>A recording is data that any engine can make; a picture is a pure function of it. Texts of a
 * recording are untrusted: every picture escapes them for its own format.
 */
@NullMarked
package dev.oriel.sim.trace;

import org.jspecify.annotations.NullMarked;
