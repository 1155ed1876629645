/**
 * For tests of protocols: arbitraries that jqwik draws from, an assertion that explores a program,
 * and an extension for JUnit. Add jqwik or JUnit Jupiter to your tests to use what needs them.
 */
@NullMarked
package dev.oriel.sim.testing;

import org.jspecify.annotations.NullMarked;
