package dev.oriel.domain.measure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Most cases of this test run only in the profile {@code thorough}; the others are reported as
 * skipped. {@link #every} selects the cases of the default build:
 *
 * <ul>
 *   <li>of a parameterized test, the first case and every n-th from a place that the class gives,
 *       so that classes that share a contract take different ones;
 *   <li>of the tests of a parameterized class, each in every n-th case of the class, and not all in
 *       the same ones;
 *   <li>of the tries of a jqwik property, one in n.
 * </ul>
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(SampledCases.class)
@AddLifecycleHook(SampledTries.class)
public @interface Sampled {
  /** Why a case is skipped. */
  String LEFT_OUT = "only with -Pthorough";

  /** The default build runs one case of this many. */
  int every();
}
