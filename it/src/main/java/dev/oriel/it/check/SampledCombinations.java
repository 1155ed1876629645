package dev.oriel.it.check;

import static dev.oriel.it.check.CombinationBinder.with;

import dev.oriel.domain.boundary.ParamBoundaries;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Combinations of many worlds and sizes, each of which is cheap to execute once. No analysis of a
 * text finds every world and size that changes what it does, so these do not depend on one alone:
 * they have each number of ranks up to 9, or 16, and drawn sizes.
 */
final class SampledCombinations {
  /** A drawn size follows so many implied ones. */
  private static final int BETWEEN = 2;

  /** The most sizes of one world. */
  private static final int SIZES = 24;

  /** Sizes up to this are drawn half of the time. */
  private static final int SMALL = 64;

  /** The largest drawn size. */
  private static final int LARGE = 4096;

  private final Form form;
  private final CombinationBinder binder;
  private final List<String> worlds;
  private final List<Map<String, Long>> sizes;
  private final SplittableRandom random = new SplittableRandom(1);

  /**
   * Samples of these worlds.
   *
   * @param sizes the requested ones, or the default
   */
  SampledCombinations(
      Form form, CombinationBinder binder, List<String> worlds, List<Map<String, Long>> sizes) {
    this.form = form;
    this.binder = binder;
    this.worlds = List.copyOf(worlds);
    this.sizes = List.copyOf(sizes);
  }

  /** All of them, one size of each world after another. */
  List<Candidate> all() {
    List<List<Map<String, Long>>> byWorld =
        worlds.stream().map(world -> List.copyOf(sizes(Topology.parse(world)))).toList();
    List<Candidate> all = new ArrayList<>();
    for (int i = 0; i < SIZES; i++) {
      for (int w = 0; w < byWorld.size(); w++) {
        if (i < byWorld.get(w).size()) {
          all.add(new Candidate(worlds.get(w), byWorld.get(w).get(i)));
        }
      }
    }
    return all;
  }

  private Set<Map<String, Long>> sizes(Topology topology) {
    Set<Map<String, Long>> all = new LinkedHashSet<>(sizes);
    List<Form.Param> chosen =
        form.params().stream().filter(param -> binder.isChosen(param, topology)).toList();
    List<List<Long>> implied = new ArrayList<>();
    for (Form.Param param : chosen) {
      implied.add(ParamBoundaries.of(form, topology.world(), sizes.getFirst(), param));
    }
    for (int i = 0; all.size() < SIZES && !chosen.isEmpty() && i < SIZES; i++) {
      for (int p = 0; p < chosen.size(); p++) {
        if (i < implied.get(p).size()) {
          all.add(with(sizes.getFirst(), chosen.get(p).name(), implied.get(p).get(i)));
        }
      }
      if (i % BETWEEN == 0) {
        all.add(drawn(chosen));
      }
    }
    return all;
  }

  private Map<String, Long> drawn(List<Form.Param> chosen) {
    Map<String, Long> size = sizes.getFirst();
    for (Form.Param param : chosen) {
      long most = Math.min(param.max(), random.nextBoolean() ? SMALL : LARGE);
      size = with(size, param.name(), random.nextLong(most + 1));
    }
    return size;
  }
}
