package dev.oriel.domain.measure;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Skips the cases of a parameterized test or class that {@link Sampled} excludes. */
final class SampledCases implements ExecutionCondition {
  private static final Pattern TEST_CASE = Pattern.compile("\\[test-template-invocation:#(\\d+)]$");
  private static final Pattern CLASS_CASE =
      Pattern.compile("\\[class-template-invocation:#(\\d+)]");

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return Thorough.ON || runs(context)
        ? ConditionEvaluationResult.enabled(null)
        : ConditionEvaluationResult.disabled(Sampled.LEFT_OUT);
  }

  private static boolean runs(ExtensionContext context) {
    Optional<Sampled> ofMethod = sampled(context.getTestMethod());
    if (ofMethod.isPresent()) {
      int index = index(TEST_CASE, context);
      String by = context.getRequiredTestClass().getName();
      return index <= 0 || Math.floorMod(by.hashCode() + index, ofMethod.get().every()) == 0;
    }
    Optional<Sampled> ofClass = sampled(context.getTestClass());
    int index = index(CLASS_CASE, context);
    if (ofClass.isEmpty() || index < 0 || context.getTestMethod().isEmpty()) {
      return true;
    }
    String method = context.getRequiredTestMethod().getName();
    return Math.floorMod(method.hashCode() + index, ofClass.get().every()) == 0;
  }

  private static Optional<Sampled> sampled(
      Optional<? extends java.lang.reflect.AnnotatedElement> element) {
    return AnnotationSupport.findAnnotation(element, Sampled.class);
  }

  /** The index of this case, from 0; negative if it is not one. */
  private static int index(Pattern pattern, ExtensionContext context) {
    Matcher matcher = pattern.matcher(context.getUniqueId());
    return matcher.find() ? Integer.parseInt(matcher.group(1)) - 1 : -1;
  }
}
