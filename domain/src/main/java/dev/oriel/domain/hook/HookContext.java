package dev.oriel.domain.hook;

import java.util.EnumMap;
import java.util.Map;

/**
 * The one object through which a hook sees its transfer, immutable; a new need becomes a new {@link
 * ContextField}, never a changed signature.
 */
public final class HookContext {

  /** A context whose fields are all 0. */
  public static final HookContext ZERO = new HookContext(new EnumMap<>(ContextField.class));

  /** Only fields that are not 0, so that equal contexts have equal maps. */
  private final Map<ContextField, Long> values;

  private HookContext(Map<ContextField, Long> values) {
    this.values = values;
  }

  /** This context with one field changed. */
  public HookContext with(ContextField field, long value) {
    Map<ContextField, Long> changed = new EnumMap<>(ContextField.class);
    changed.putAll(values);
    changed.put(field, value);
    changed.values().removeIf(kept -> kept == 0);
    return new HookContext(changed);
  }

  /** The value of a field. */
  public long get(ContextField field) {
    return values.getOrDefault(field, 0L);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HookContext context && values.equals(context.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("context:");
    for (ContextField field : ContextField.values()) {
      text.append(' ').append(field.symbol()).append('=').append(get(field));
    }
    return text.toString();
  }
}
