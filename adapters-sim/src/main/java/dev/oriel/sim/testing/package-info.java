/**
 * For tests of protocols: arbitraries for jqwik, an assertion that explores a program, and an
 * extension for JUnit. Add jqwik or JUnit Jupiter to your tests to use the classes that need them.
 */
@NullMarked
package dev.oriel.sim.testing;

import org.jspecify.annotations.NullMarked;
