package dev.oriel.sim.machine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The renamings of ranks under which nothing changes: topology, sizes, code of every lane, faults,
 * and every byte that has to be there in the end are compared one by one. Two states of which one
 * is the other renamed have the same future but for names; of several things that are wrong with
 * one step, another may come first.
 */
final class Symmetry {
  /** Worlds of which every renaming is tried; of larger ones, rotations. */
  private static final int ALL_RENAMINGS = 4;

  /** Bytes of memory, in all launches, that are compared one by one. */
  private static final int MAX_BYTES = 1 << 17;

  final List<Relabelling> renamings;

  /** Which renamings these are; or why there are none. */
  final String text;

  /** All under its own name, told apart as renamed states are. */
  final Relabelling none;

  private final Model model;
  private final Simulation.Terms terms;
  private final Faults faults;
  private final Launches launches;
  private final Growth growth;

  Symmetry(Model model, Simulation.Terms terms) {
    this.model = model;
    this.terms = terms;
    model.made.note();
    none = Relabelling.none(model);
    faults = new Faults(model, terms.faults());
    launches = new Launches(model.code.operands(), terms.past(), terms.launches());
    growth = new Growth(model, launches);
    String against = against();
    List<Relabelling> found = new ArrayList<>();
    for (int[] rank : against.isEmpty() ? candidates(model.world) : List.<int[]>of()) {
      Relabelling renaming = new Relabelling(model, rank, false);
      String difference = difference(renaming);
      if (!difference.isEmpty() && reduces()) {
        renaming = new Relabelling(model, rank, true);
        difference = difference(renaming).isEmpty() ? "" : difference;
      }
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

  private boolean reduces() {
    return Arrays.stream(model.makings).anyMatch(m -> m instanceof Reducer);
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

  /** What speaks against any renaming. */
  private String against() {
    if (model.world < 2) {
      return "there is one rank";
    }
    if ((long) model.memory * (terms.launches() + 1L) > MAX_BYTES) {
      return "there is too much memory to compare byte by byte: bytes=%d, launches=%d, max=%d"
          .formatted(model.memory, terms.launches(), MAX_BYTES);
    }
    if (!Reducer.ordered(model.code)) {
      return "reductions in any order are not looked at";
    }
    return new Inflow(model, launches).against();
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

  private String difference(Relabelling renaming) {
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
    }
    SameCode code = new SameCode(model, launches, growth, renaming);
    for (int l = 0; l < model.lanes; l++) {
      String difference = code.difference(l);
      if (!difference.isEmpty()) {
        return difference;
      }
    }
    if (!renaming.complete()) {
      return "queues differ";
    }
    if (!faults.alike(rank, renaming.queue)) {
      return "ranks have other faults";
    }
    if (!renaming.inputs(terms.launches())) {
      return "two bytes of inputs are alike";
    }
    for (int r = 0; r < model.world; r++) {
      for (int launch = 1; launch <= terms.launches(); launch++) {
        if (!owed(r, launch, renaming).equals(owed(rank[r], launch, none))) {
          return "ranks %d and %d are to hold other results".formatted(r, rank[r]);
        }
      }
    }
    return "";
  }

  /** A byte that has to be there when a launch has ended. */
  private record Owed(int buffer, int offset, long octet) {}

  private Set<Owed> owed(int rank, int launch, Relabelling renaming) {
    Set<Owed> owed = new HashSet<>();
    for (Promised promised : Promised.of(model, rank, launch)) {
      for (int i = 0; i < promised.bytes.length; i++) {
        int offset = (int) promised.claim.actualOffset() + i;
        int place = renaming.places.at(rank, promised.actual, offset);
        owed.add(new Owed(promised.actual, place, renaming.renamed(promised.bytes[i])));
      }
    }
    return owed;
  }
}
