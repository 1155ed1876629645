package dev.oriel.sim.machine;

import dev.oriel.domain.binding.Claim;
import dev.oriel.domain.program.Ensure;
import dev.oriel.sim.replay.Timeouts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The renamings of ranks under which nothing changes: topology, sizes, code of every lane, claims
 * and what inputs hold are compared one by one. Two states of which one is the other renamed have
 * the same future but for names.
 */
final class Symmetry {
  /** Worlds of which every renaming is tried; of larger ones, rotations. */
  private static final int ALL_RENAMINGS = 4;

  final List<Relabelling> renamings;

  /** Which renamings these are; or why there are none. */
  final String text;

  Symmetry(Model model, Simulation.Terms terms) {
    String against = against(model, terms);
    List<Relabelling> found = new ArrayList<>();
    for (int[] rank : against.isEmpty() ? candidates(model.world) : List.<int[]>of()) {
      Relabelling renaming = new Relabelling(model, rank);
      String difference = difference(model, renaming, terms.launches());
      if (difference.isEmpty()) {
        found.add(renaming);
      } else if (against.isEmpty()) {
        against = difference;
      }
    }
    renamings = List.copyOf(found);
    text =
        found.isEmpty()
            ? "none: " + against
            : "%d renamings of ranks%s"
                .formatted(found.size() + 1, rotations(found) ? ", which are rotations" : "");
  }

  private static boolean rotations(List<Relabelling> found) {
    return found.stream().allMatch(f -> isRotation(f.rank));
  }

  private static boolean isRotation(int[] rank) {
    for (int r = 0; r < rank.length; r++) {
      if (rank[r] != (r + rank[0]) % rank.length) {
        return false;
      }
    }
    return true;
  }

  /** What is not looked at, and so speaks against any renaming. */
  private static String against(Model model, Simulation.Terms terms) {
    if (model.world < 2) {
      return "there is one rank";
    }
    if (!terms.faults().faults().isEmpty() || terms.timeouts() != Timeouts.NEVER) {
      return "faults and timeouts are not looked at";
    }
    if (model.code.form().ensures().stream().anyMatch(Ensure::namesWords)) {
      return "post-conditions that name words of inputs are not looked at";
    }
    if (!model.makings.none()) {
      return "reductions are not looked at";
    }
    boolean packets = Arrays.stream(model.scan.format).anyMatch(f -> f >= 0);
    boolean words = !model.scan.wordBuffers.isEmpty() || model.scan.updates || model.scan.anyLock;
    return packets || words ? "packets and words in buffers are not looked at" : "";
  }

  /** Rotations first: what speaks against the first of them is said. */
  private static List<int[]> candidates(int world) {
    List<int[]> all = new ArrayList<>();
    for (int by = 1; by < world; by++) {
      int[] rank = new int[world];
      for (int r = 0; r < world; r++) {
        rank[r] = (r + by) % world;
      }
      all.add(rank);
    }
    if (world <= ALL_RENAMINGS) {
      permute(new int[world], 0, 0, all);
    }
    return all;
  }

  private static void permute(int[] rank, int at, int used, List<int[]> into) {
    if (at == rank.length && !isRotation(rank)) {
      into.add(rank.clone());
    }
    for (int r = 0; r < rank.length; r++) {
      if (at < rank.length && (used & 1 << r) == 0) {
        rank[at] = r;
        permute(rank, at + 1, used | 1 << r, into);
      }
    }
  }

  private static String difference(Model model, Relabelling renaming, int launches) {
    int[] rank = renaming.rank;
    for (int r = 0; r < model.world; r++) {
      String ranks = "ranks %d and %d".formatted(r, rank[r]);
      if (model.firstLane[r + 1] - model.firstLane[r]
          != model.firstLane[rank[r] + 1] - model.firstLane[rank[r]]) {
        return ranks + " have other numbers of lanes";
      }
      for (int peer = 0; peer < model.world; peer++) {
        if (model.kind(r, peer) != model.kind(rank[r], rank[peer])) {
          return ranks + " are linked in other ways";
        }
      }
      for (int b = 0; b < model.buffers; b++) {
        if (model.bytes[r * model.buffers + b] != model.bytes[rank[r] * model.buffers + b]) {
          return ranks + " have other sizes of " + model.buffer(b);
        }
      }
      for (int s = 0; s < model.words.signals; s++) {
        if (model.words.slots(r, s) != model.words.slots(rank[r], s)) {
          return ranks + " have other numbers of slots of " + model.signal(s);
        }
      }
      if (!renamed(claims(model, r), rank).equals(Set.copyOf(claims(model, rank[r])))) {
        return ranks + " are to hold other results";
      }
    }
    SameCode code = new SameCode(model, rank, renaming.lane);
    for (int l = 0; l < model.lanes; l++) {
      String difference = code.difference(l);
      if (!difference.isEmpty()) {
        return difference;
      }
    }
    if (!renaming.complete()) {
      return "queues differ";
    }
    return renaming.inputs(launches) ? "" : "two bytes of inputs are alike";
  }

  private static List<Claim> claims(Model model, int rank) {
    return model.code.ranks().get(rank).claims(Claim.Start.UNKNOWN);
  }

  private static Set<Claim> renamed(List<Claim> claims, int[] rank) {
    Set<Claim> renamed = new HashSet<>();
    for (Claim c : claims) {
      renamed.add(
          new Claim(
              c.actual(),
              c.actualOffset(),
              c.combine(),
              c.grouping(),
              c.sources().stream()
                  .map(s -> new Claim.Source(rank[s.rank()], s.buffer(), s.offset()))
                  .toList(),
              c.bytes()));
    }
    return renamed;
  }
}
