package dev.oriel.sim.search;

import dev.oriel.sim.time.LinkModel;
import dev.oriel.sim.time.LinkText;

/**
 * The meaning of time for {@link Strategy#WINDOW}: the durations of steps, and how far a step may
 * overtake others.
 */
public record WindowTiming(LinkModel links, WindowDelta delta) {
  /** The measured links, and the time of one hop. */
  public static final WindowTiming DEFAULT =
      new WindowTiming(LinkText.profile("h200"), WindowDelta.DEFAULT);

  @Override
  public String toString() {
    return "delta=%s, links=%s".formatted(delta, links.name());
  }
}
