package dev.oriel.sim.search;

import dev.oriel.sim.time.LinkModel;
import dev.oriel.sim.time.LinkText;

/**
 * What time means to {@link Strategy#WINDOW}: how long steps take, and how far they may be
 * exchanged.
 */
public record Pace(LinkModel links, Delta delta) {
  /** The links that were measured, and a hop. */
  public static final Pace DEFAULT = new Pace(LinkText.profile("h200"), Delta.DEFAULT);

  @Override
  public String toString() {
    return "delta=%s, links=%s".formatted(delta, links.name());
  }
}
