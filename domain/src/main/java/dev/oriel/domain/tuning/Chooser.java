package dev.oriel.domain.tuning;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram.LaneInstance;
import dev.oriel.domain.program.Lane;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.Ranking.Offer;
import dev.oriel.domain.tuning.Ranking.Origin;
import dev.oriel.domain.tuning.Ranking.Refusal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Weighs every candidate twice, with the lanes of its text and with those of the table, so the
 * cheapest is never dearer than the table's.
 *
 * <p>What comes out is a function of the key, the candidates and the cost; neither the order of
 * candidates nor a rank of its own enters.
 */
public final class Chooser {
  /**
   * Threads that are on a GPU of 132 processors at once; lanes wait for one another, so all must.
   */
  static final long RESIDENT_THREADS = 132 * 2048L;

  private final CostModel cost;

  /** A chooser by that cost. */
  public Chooser(CostModel cost) {
    this.cost = cost;
  }

  /**
   * The price of every candidate.
   *
   * @throws ProgramException if none can run
   */
  public Ranking rank(TuningKey key, Topology topology, List<Candidate> candidates) {
    if (!key.shape().equals(topology.digest())) {
      throw new ProgramException(
          "key of another world: key=%s, topology=%s; make the key of this topology"
              .formatted(key.shape(), topology.digest()));
    }
    LaneCount table =
        LaneCount.of(
            PeerBlocks.everywhere(topology, key.collective().perPeer(key.bytes(), key.world())));
    List<Offer> offers = new ArrayList<>();
    List<Refusal> refusals = new ArrayList<>();
    for (Candidate candidate :
        candidates.stream().sorted(Comparator.comparing(Candidate::name)).toList()) {
      weigh(key, topology, candidate, Origin.OWN, Optional.empty(), offers, refusals);
      if (LaneCount.definition(candidate.form()).isPresent()) {
        weigh(key, topology, candidate, Origin.TABLE, Optional.of(table), offers, refusals);
      }
    }
    if (offers.isEmpty()) {
      throw new ProgramException(
          "no program can do this: key=%s; %s"
              .formatted(
                  key.text(),
                  refusals.isEmpty()
                      ? "there is no candidate"
                      : "the first refusal: " + refusals.getFirst().reason()));
    }
    return new Ranking(offers, refusals);
  }

  private void weigh(
      TuningKey key,
      Topology topology,
      Candidate candidate,
      Origin origin,
      Optional<LaneCount> lanes,
      List<Offer> offers,
      List<Refusal> refusals) {
    Choice choice = Choice.of(candidate, lanes);
    try {
      Program program = candidate.bind(key, lanes);
      fits(program);
      offers.add(new Offer(choice, origin, cost.nanos(program, topology)));
    } catch (ProgramException e) {
      refusals.add(new Refusal(choice, origin, String.valueOf(e.getMessage())));
    }
  }

  /**
   * Sees to it that all lanes of a rank can be on its GPU at once.
   *
   * @throws ProgramException if they cannot
   */
  static void fits(Program program) {
    long threads = 0;
    for (LaneInstance lane : program.rank(0).lanes()) {
      threads += lane.lane().engine() instanceof Lane.Engine.Sm(int each) ? each : 0;
    }
    if (threads > RESIDENT_THREADS) {
      throw new ProgramException(
          "lanes do not fit at once: threads=%d, max=%d; use fewer lanes or threads"
              .formatted(threads, RESIDENT_THREADS));
    }
  }
}
