/**
 * What rank code and the machine agree on: the calls of driven lanes, and the format of memory
 * keys.
 */
@NullMarked
package dev.oriel.sim.machine.driver;

import org.jspecify.annotations.NullMarked;
