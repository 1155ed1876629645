package dev.oriel.domain.measure;

import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * Gives every jqwik property the same seed in every build: a number made from its class, its method
 * and {@code -Doriel.properties.seed=S}. A seed in {@code @Property} takes precedence. jqwik finds
 * this hook as a service, so it applies wherever the test-jar is on the class path.
 */
public final class FixedSeed implements AroundPropertyHook {
  private static final long SEED = Long.getLong("oriel.properties.seed", 1);

  @Override
  public PropertyExecutionResult aroundProperty(
      PropertyLifecycleContext context, PropertyExecutor property) {
    if (context.attributes().seed().isEmpty()) {
      String name = context.containerClass().getName() + "#" + context.targetMethod().getName();
      context.attributes().setSeed(String.valueOf(SEED * 1_000_003 + name.hashCode()));
    }
    return property.execute();
  }

  @Override
  public PropagationMode propagateTo() {
    return PropagationMode.ALL_DESCENDANTS;
  }

  /** Outermost: hooks nearer to the property find the seed. */
  @Override
  public int aroundPropertyProximity() {
    return Integer.MIN_VALUE + 1;
  }
}
