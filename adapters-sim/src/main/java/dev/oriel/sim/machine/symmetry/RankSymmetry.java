package dev.oriel.sim.machine.symmetry;

import dev.oriel.sim.machine.caller.ExpectedOutput;
import dev.oriel.sim.machine.fault.FaultInjector;
import dev.oriel.sim.machine.launch.InputTaint;
import dev.oriel.sim.machine.launch.MonotoneSignals;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.provenance.InputContents;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The renamings of ranks that are symmetries. Topology, sizes, code of every lane, faults and every
 * byte of expected outputs are compared one by one. If one state is another one renamed, both have
 * the same future except for names. If one step has several violations, the first one reported may
 * differ.
 */
final class RankSymmetry {
  /** For worlds up to this size every renaming is tried; for larger ones, rotations. */
  private static final int ALL_RENAMINGS = 4;

  /** The largest number of bytes of memory, over all launches and the end, that are compared. */
  private static final int MAX_BYTES = 1 << 17;

  private static final int MAX_LAUNCHES = 1 << 8;

  final List<RankPermutation> renamings;

  /** A description of the symmetries; or why there are none. */
  final String text;

  /** The identity, which distinguishes states as the renamings do. */
  final RankPermutation none;

  private final MachineModel model;
  private final ExecutionSettings settings;
  private final FaultInjector faults;

  /** For each lane: the registers that distinguish states. */
  private final BitSet[] live;

  RankSymmetry(MachineModel model, ExecutionSettings settings) {
    this.model = model;
    this.settings = settings;
    live = new BitSet[model.lanes];
    for (int l = 0; l < live.length; l++) {
      live[l] = new BitSet();
      live[l].set(0, model.lane(l).registers());
    }
    none = RankPermutation.none(model, live);
    faults = new FaultInjector(model, settings.faults());
    List<RankPermutation> found = new ArrayList<>();
    String against = against();
    if (against.isEmpty()) {
      model.made.note();
      against = find(new MonotoneSignals(model, settings), found);
    }
    renamings = List.copyOf(found);
    text =
        found.isEmpty()
            ? "none: " + against
            : "%d renamings of ranks%s"
                .formatted(found.size() + 1, rotations(found) ? ", which are rotations" : "");
  }

  /** Finds all symmetries; returns what excludes the first renaming that is none. */
  private String find(MonotoneSignals growth, List<RankPermutation> into) {
    PermutedCodeEquality itself = new PermutedCodeEquality(model, settings, growth, none);
    for (int l = 0; l < live.length; l++) {
      live[l] = itself.live(l);
    }
    String against = "";
    for (int[] rank : candidates(model.world)) {
      RankPermutation renaming = new RankPermutation(model, rank, live, false);
      String difference = difference(renaming, growth);
      if (!difference.isEmpty() && reduces()) {
        renaming = new RankPermutation(model, rank, live, true);
        difference = difference(renaming, growth).isEmpty() ? "" : difference;
      }
      if (difference.isEmpty()) {
        into.add(renaming);
      } else if (against.isEmpty()) {
        against = difference;
      }
    }
    return against;
  }

  private boolean reduces() {
    return model.makings.reduces();
  }

  private static boolean rotations(List<RankPermutation> found) {
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

  /** A reason that excludes every renaming; empty if there is none. */
  private String against() {
    if (model.world < 2) {
      return "there is one rank";
    }
    if (settings.launches() > MAX_LAUNCHES) {
      return "there are too many launches to compare: launches=%d, max=%d"
          .formatted(settings.launches(), MAX_LAUNCHES);
    }
    long fillings = settings.launches() + 1L;
    if (model.memory * fillings > MAX_BYTES) {
      return "there is too much memory to compare byte by byte, in each launch and after the last: bytes=%d, fillings=%d, product=%d, max=%d"
          .formatted(model.memory, fillings, model.memory * fillings, MAX_BYTES);
    }
    if (!model.flat) {
      return "there are too many agents to rename: agents=%d, max=%d"
          .formatted(model.agents.components, model.sizes.flat);
    }
    if (model.makings.placed()) {
      return "hooks that place outputs, or read a peer or a tile, are not compared";
    }
    if (model.makings.reducesInAnyOrder()) {
      return "reductions in any order are not looked at";
    }
    return new InputTaint(model, settings, false).against();
  }

  /** All candidates, rotations first: what excludes the first of them is reported. */
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

  private String difference(RankPermutation renaming, MonotoneSignals growth) {
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
    PermutedCodeEquality code = new PermutedCodeEquality(model, settings, growth, renaming);
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
    if (!renaming.bytes.complete(settings.launches())) {
      return "two bytes of inputs are alike";
    }
    if (model.code.form().ensures().stream().anyMatch(e -> e.when().isPresent())) {
      return "a post-condition has a condition";
    }
    for (int r = 0; r < model.world; r++) {
      for (int launch = 1; launch <= settings.launches(); launch++) {
        if (!owed(r, launch, renaming).equals(owed(rank[r], launch, none))) {
          return "ranks %d and %d are to hold other results".formatted(r, rank[r]);
        }
      }
    }
    return "";
  }

  /** A byte of an expected output at the end of a launch. */
  private record Owed(int buffer, int offset, long octet) {}

  private Set<Owed> owed(int rank, int launch, RankPermutation renaming) {
    Set<Owed> owed = new HashSet<>();
    for (ExpectedOutput promised :
        ExpectedOutput.of(model, rank, launch, InputContents.BY_LAUNCH)) {
      for (int i = 0; i < promised.bytes.length; i++) {
        int offset = (int) promised.place(i);
        int place = renaming.places.at(rank, promised.actual, offset);
        owed.add(new Owed(promised.actual, place, renaming.bytes.renamed(promised.bytes[i])));
      }
    }
    return owed;
  }
}
