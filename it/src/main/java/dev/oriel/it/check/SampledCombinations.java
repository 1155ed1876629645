package dev.oriel.it.check;

import static dev.oriel.it.check.CombinationBinder.with;

import dev.oriel.domain.boundary.ParamBoundaries;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Combinations of many worlds and sizes, each of which is cheap to execute once. First those that
 * the text implies in worlds that are not searched. But no analysis of a text finds every world and
 * size that changes what it does, so the others do not depend on one alone: they have each number
 * of ranks up to 9, or 16, and drawn sizes.
 */
final class SampledCombinations {
  /** A drawn size follows so many implied ones. */
  private static final int BETWEEN = 2;

  /** The most values of one parameter that only the number of ranks of one world implies. */
  private static final int OWN = 4;

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

  /**
   * Larger worlds with the first size, and sizes that only the number of ranks of one world
   * implies.
   *
   * @param larger worlds besides the others
   * @param searched worlds whose sizes are searched
   */
  List<Candidate> implied(List<String> larger, List<String> searched) {
    List<String> all = new ArrayList<>(larger);
    all.addAll(worlds);
    Map<String, Set<Long>> usual = new HashMap<>();
    for (Form.Param param : form.params()) {
      Set<Long> values = new HashSet<>();
      searched.stream()
          .map(world -> Topology.parse(world).world())
          .distinct()
          .forEach(
              ranks -> values.addAll(ParamBoundaries.of(form, ranks, sizes.getFirst(), param)));
      usual.put(param.name(), values);
    }
    return byTurns(
        all,
        all.stream()
            .map(world -> {
              Set<Map<String, Long>> own = new LinkedHashSet<>();
              if (larger.contains(world)) {
                own.add(sizes.getFirst());
              }
              own.addAll(own(Topology.parse(world), usual));
              return List.copyOf(own);
            })
            .toList());
  }

  private List<Map<String, Long>> own(Topology topology, Map<String, Set<Long>> usual) {
    return form.params().stream()
        .filter(param -> binder.isChosen(param, topology))
        .flatMap(param ->
            ParamBoundaries.of(form, topology.world(), sizes.getFirst(), param).stream()
                .filter(value -> !usual.getOrDefault(param.name(), Set.of()).contains(value))
                .limit(OWN)
                .map(value -> with(sizes.getFirst(), param.name(), value)))
        .toList();
  }

  /** The others, one size of each world after another. */
  List<Candidate> all() {
    return byTurns(
        worlds, worlds.stream().map(world -> List.copyOf(sizes(Topology.parse(world)))).toList());
  }

  private static List<Candidate> byTurns(List<String> worlds, List<List<Map<String, Long>>> sizes) {
    List<Candidate> all = new ArrayList<>();
    for (int i = 0; i < SIZES; i++) {
      for (int w = 0; w < worlds.size(); w++) {
        if (i < sizes.get(w).size()) {
          all.add(new Candidate(worlds.get(w), sizes.get(w).get(i)));
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
