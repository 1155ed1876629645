package dev.oriel.domain.tuning;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.CandidateRanking.Offer;
import dev.oriel.domain.tuning.CandidateRanking.Origin;
import dev.oriel.domain.tuning.CandidateRanking.Refusal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Estimates the cost of every candidate with the lanes of its text, with fewer lanes if those do
 * not fit a GPU, and with those of the table. The cheapest is therefore never more expensive than
 * the table's.
 *
 * <p>The result depends only on the key, the candidates and the cost model; neither the order of
 * candidates nor the own rank matters.
 */
public final class ProgramChooser {
  private final CostModel cost;

  /** A chooser with that cost model. */
  public ProgramChooser(CostModel cost) {
    this.cost = cost;
  }

  /**
   * The cost of every candidate.
   *
   * @throws ProgramException if none can run
   */
  public CandidateRanking rank(
      TuningKey key, Topology topology, List<CandidateProgram> candidates) {
    if (!key.shape().equals(topology.digest())) {
      throw new ProgramException(
          "key of another world: key=%s, topology=%s; make the key of this topology"
              .formatted(key.shape(), topology.digest()));
    }
    List<Offer> offers = new ArrayList<>();
    List<Refusal> refusals = new ArrayList<>();
    for (CandidateProgram candidate :
        candidates.stream().sorted(Comparator.comparing(CandidateProgram::name)).toList()) {
      lanes(key, topology, candidate)
          .forEach((origin, lanes) -> {
            ProgramChoice choice = ProgramChoice.of(candidate, lanes);
            try {
              requireMixed(candidate.form(), topology);
              requireDomains(candidate.form(), topology);
              Program program = candidate.bind(key, topology, lanes);
              LaneResidency.check(program);
              requireMapped(program, topology);
              offers.add(new Offer(choice, origin, cost.nanos(program, topology)));
            } catch (ProgramException e) {
              refusals.add(new Refusal(choice, origin, String.valueOf(e.getMessage())));
            }
          });
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
    return new CandidateRanking(offers, refusals);
  }

  /** Within one domain two levels are one, for which there are programs without levels. */
  private static void requireDomains(Form form, Topology topology) {
    if (WorldParams.row(topology) == topology.world() && WorldParams.levelled(form)) {
      throw new ProgramException(
          "program is for several domains: form=%s, ranks=%d; all ranks are in one"
              .formatted(form.name(), topology.world()));
    }
  }

  /**
   * If all peers are alike, a split of lanes has no alternative to compare and no effect on the
   * cost.
   */
  private static void requireMixed(Form form, Topology topology) {
    if (LaneCount.splits(form) && !WorldParams.mixed(topology)) {
      throw new ProgramException(
          "program is for two kinds of peers: form=%s, links=%s; peers are alike, or not in rows"
              .formatted(form.name(), topology.kinds()));
    }
  }

  private static void requireMapped(Program program, Topology topology) {
    boolean network = topology.kinds().contains(PeerKind.RDMA);
    if (network && FormLowering.lower(program.form(), topology.kinds()).wantsMappedMemory()) {
      throw new ProgramException(
          "program wants mapped memory: form=%s, links=%s; a network may cut its lines, and no copy engine posts to one"
              .formatted(program.form().name(), topology.kinds()));
    }
  }

  private static LaneCount table(TuningKey key, Topology topology, Form form) {
    long bytes = key.collective().perPeer(key.bytes(), key.world());
    return LaneCount.splits(form) && WorldParams.mixed(topology)
        ? LaneCount.split(topology, bytes)
        : LaneCount.of(PeerBlocks.everywhere(topology, bytes));
  }

  /** The lanes to try for a candidate; an absent count means those of its text. */
  private static Map<Origin, Optional<LaneCount>> lanes(
      TuningKey key, Topology topology, CandidateProgram candidate) {
    Map<Origin, Optional<LaneCount>> lanes = new EnumMap<>(Origin.class);
    lanes.put(Origin.OWN, Optional.empty());
    if (LaneCount.definition(candidate.form()).isPresent()) {
      lanes.put(Origin.TABLE, Optional.of(table(key, topology, candidate.form())));
      try {
        LaneResidency.fewer(candidate.bind(key, topology, Optional.empty()))
            .ifPresent(fewer -> lanes.put(Origin.FEWER, Optional.of(fewer)));
      } catch (ProgramException e) {
        // The candidate with the lanes of its text is refused for the same reason.
      }
    }
    return lanes;
  }
}
