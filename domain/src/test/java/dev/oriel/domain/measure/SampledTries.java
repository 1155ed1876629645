package dev.oriel.domain.measure;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AroundTryHook;
import net.jqwik.api.lifecycle.Lifespan;
import net.jqwik.api.lifecycle.Store;
import net.jqwik.api.lifecycle.TryExecutionResult;
import net.jqwik.api.lifecycle.TryExecutor;
import net.jqwik.api.lifecycle.TryLifecycleContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Ends a jqwik property after the share of its tries that {@link Sampled} selects. */
final class SampledTries implements AroundTryHook {

  @Override
  public TryExecutionResult aroundTry(
      TryLifecycleContext context, TryExecutor executor, List<Object> parameters) {
    TryExecutionResult result = executor.execute(parameters);
    if (Thorough.ON || !result.isSatisfied()) {
      return result;
    }
    int tries =
        AnnotationSupport.findAnnotation(context.targetMethod(), Property.class)
            .orElseThrow()
            .tries();
    int every =
        AnnotationSupport.findAnnotation(context.targetMethod(), Sampled.class)
            .orElseThrow()
            .every();
    AtomicInteger done =
        Store.getOrCreate(SampledTries.class, Lifespan.PROPERTY, AtomicInteger::new).get();
    return done.incrementAndGet() * every < tries
        ? result
        : TryExecutionResult.satisfied(true).withFootnotes(result.footnotes());
  }

  @Override
  public int aroundTryProximity() {
    return -100;
  }
}
