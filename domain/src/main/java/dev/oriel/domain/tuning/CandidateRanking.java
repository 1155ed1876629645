package dev.oriel.domain.tuning;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The costs of all candidates under one key.
 *
 * @param offers that can run, in the order of their estimation; at least one
 * @param refusals those that cannot
 */
public record CandidateRanking(List<Offer> offers, List<Refusal> refusals) {

  /** The source of an offer's lanes. */
  public enum Origin {
    /** The program's text. */
    OWN,
    /** The table's blocks and warps. */
    TABLE,
    /** As many as fit a GPU at once, if the text has more. */
    FEWER
  }

  /** A possible choice and its cost. */
  public record Offer(ProgramChoice choice, Origin origin, double nanos) {}

  /** An impossible choice and the reason. */
  public record Refusal(ProgramChoice choice, Origin origin, String reason) {}

  public CandidateRanking {
    offers = List.copyOf(offers);
    refusals = List.copyOf(refusals);
  }

  /** The same with more refusals. */
  public CandidateRanking with(List<Refusal> more) {
    List<Refusal> all = new ArrayList<>(refusals);
    all.addAll(more);
    return new CandidateRanking(offers, all);
  }

  /** The cheapest offer; the first of equal ones. */
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
