package dev.oriel.domain.tuning;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What all candidates cost under one key.
 *
 * @param offers that can run, in the order in which they were weighed; there is one at least
 * @param refusals those that cannot
 */
public record Ranking(List<Offer> offers, List<Refusal> refusals) {

  /** Where the lanes of an offer come from. */
  public enum Origin {
    /** As the program's text counts them. */
    OWN,
    /** The table's blocks and warps. */
    TABLE,
    /** As many as are on a GPU at once, where the text counts more. */
    FEWER
  }

  /** Something that may be chosen, and its price. */
  public record Offer(Choice choice, Origin origin, double nanos) {}

  /** What cannot be chosen, and why. */
  public record Refusal(Choice choice, Origin origin, String reason) {}

  public Ranking {
    offers = List.copyOf(offers);
    refusals = List.copyOf(refusals);
  }

  /** The cheapest offer; of equal ones the first. */
  public Offer best() {
    return cheapest(offers).orElseThrow();
  }

  /** The cheapest offer of that origin. */
  public Optional<Offer> best(Origin origin) {
    return cheapest(offers.stream().filter(offer -> offer.origin() == origin).toList());
  }

  private static Optional<Offer> cheapest(List<Offer> offers) {
    return offers.stream().min(Comparator.comparingDouble(Offer::nanos));
  }
}
