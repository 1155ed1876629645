package dev.oriel.it.check;

import static dev.oriel.it.check.CombinationBinder.with;

import dev.oriel.domain.boundary.ParamBoundaries;
import dev.oriel.domain.boundary.UnreachedBlocks;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The sizes at which a text behaves in another way than with a first size, in one world. */
final class ImpliedSizes {
  /** The largest value that is tried where no other one leads into some block. */
  private static final long REACHED = 4096;

  /** The most values of one parameter besides the first one. */
  private static final int VALUES = 24;

  /** Of two parameters, the sum of the places of two values that are taken together. */
  private static final int PAIRED = 5;

  /** The most values that one value of another parameter implies. */
  private static final int JOINT = 5;

  /** The most values of one parameter that only another number of ranks implies. */
  private static final int OWN = 3;

  /** Alignments of elements and packets. */
  static final long[] UNITS = {2, 4, 8, 16};

  private final Form form;
  private final CombinationBinder binder;
  private final String first;
  private final List<String> worlds;
  private final Map<String, Long> size;

  /** For each parameter that was not requested: its implied values, the most revealing first. */
  private final Map<String, List<Long>> varied = new LinkedHashMap<>();

  /** Implied values, by name, that are too large to search; the most revealing first. */
  private final SortedMap<String, SequencedSet<Long>> large = new TreeMap<>();

  private int unbound;

  /**
   * Sizes for one world.
   *
   * @param first the world
   * @param worlds other worlds, which may imply more sizes
   * @param size the first size
   */
  ImpliedSizes(
      Form form,
      CombinationBinder binder,
      String first,
      List<String> worlds,
      Map<String, Long> size) {
    this.form = form;
    this.binder = binder;
    this.first = first;
    this.worlds = List.copyOf(worlds);
    this.size = size;
    Topology topology = Topology.parse(first);
    for (Form.Param param : form.params()) {
      if (binder.isChosen(param, topology)) {
        varied.put(param.name(), implied(param));
      }
    }
  }

  SortedMap<String, SequencedSet<Long>> large() {
    return large;
  }

  /** The number of values that were left out because there are too many. */
  int unbound() {
    return unbound;
  }

  /**
   * Sizes that differ from the first one in one parameter, as the text implies; the most revealing
   * first.
   */
  Set<Map<String, Long>> one() {
    Set<Map<String, Long>> all = new LinkedHashSet<>();
    for (int i = 0; i < 2 * VALUES; i++) {
      for (Map.Entry<String, List<Long>> one : varied.entrySet()) {
        if (i < one.getValue().size()) {
          all.add(with(size, one.getKey(), one.getValue().get(i)));
        }
      }
    }
    all.remove(size);
    return all;
  }

  /**
   * Sizes that differ in two parameters at once: first those of two most revealing values, then
   * those of less revealing ones.
   */
  Set<Map<String, Long>> pairs() {
    Set<Map<String, Long>> all = new LinkedHashSet<>();
    List<String> names = List.copyOf(varied.keySet());
    for (int sum = 0; sum <= PAIRED; sum++) {
      for (int a = 0; a < names.size(); a++) {
        for (int b = a + 1; b < names.size(); b++) {
          for (int i = 0; i <= sum; i++) {
            List<Long> one = varied.getOrDefault(names.get(a), List.of());
            List<Long> other = varied.getOrDefault(names.get(b), List.of());
            if (i < one.size() && sum - i < other.size()) {
              all.add(with(with(size, names.get(a), one.get(i)), names.get(b), other.get(sum - i)));
            }
          }
        }
      }
    }
    return all;
  }

  /**
   * Sizes that differ in two parameters, where the text compares both at once ({@code B * T ==
   * 42}). A value of one parameter then implies values of the other that no other value implies.
   */
  Set<Map<String, Long>> joint() {
    List<List<Map<String, Long>>> byValue = new ArrayList<>();
    for (Map.Entry<String, List<Long>> one : varied.entrySet()) {
      for (Form.Param other : form.params()) {
        if (other.name().equals(one.getKey()) || !varied.containsKey(other.name())) {
          continue;
        }
        Set<Long> usual = candidates(size, other);
        for (long value : one.getValue()) {
          Map<String, Long> with = with(size, one.getKey(), value);
          byValue.add(
              candidates(with, other).stream()
                  .filter(implied -> !usual.contains(implied))
                  .limit(JOINT)
                  .flatMap(implied -> accepted(first, with, other, implied).stream())
                  .map(implied -> with(with, other.name(), implied))
                  .toList());
        }
      }
    }
    Set<Map<String, Long>> all = new LinkedHashSet<>();
    for (int i = 0; i < JOINT; i++) {
      for (List<Map<String, Long>> sizes : byValue) {
        if (i < sizes.size()) {
          all.add(sizes.get(i));
        }
      }
    }
    return all;
  }

  /**
   * Sizes for another world that differ from the first one in one parameter, by values that only
   * the other number of ranks implies; the most revealing first.
   */
  Set<Map<String, Long>> onlyIn(String world) {
    Set<Map<String, Long>> all = new LinkedHashSet<>();
    Topology topology = Topology.parse(world);
    for (Form.Param param : form.params()) {
      if (!varied.containsKey(param.name()) || !binder.isChosen(param, topology)) {
        continue;
      }
      List<Long> usual = ParamBoundaries.of(form, Topology.parse(first).world(), size, param);
      ParamBoundaries.of(form, topology.world(), size, param).stream()
          .filter(value -> !usual.contains(value))
          .limit(OWN)
          .flatMap(value -> accepted(world, size, param, value).stream())
          .forEach(value -> all.add(with(size, param.name(), value)));
    }
    return all;
  }

  /** Values that lead into blocks which no other one reaches, then the others. */
  private List<Long> implied(Form.Param param) {
    Set<Long> usual = accepted(size, param, candidates(size, param));
    Set<Long> known = new LinkedHashSet<>(usual);
    known.add(size.getOrDefault(param.name(), 0L));
    int world = Topology.parse(first).world();
    long most = Math.min(param.max(), REACHED);
    Set<Long> values =
        accepted(
            size, param, UnreachedBlocks.reaching(form, world, size, param.name(), known, most));
    values.addAll(usual);
    values.remove(size.get(param.name()));
    return List.copyOf(values);
  }

  /** As many of the values as there may be; the others count as left unchecked. */
  private Set<Long> accepted(
      Map<String, Long> size, Form.Param param, Collection<Long> candidates) {
    Set<Long> values = new LinkedHashSet<>();
    for (long value : candidates) {
      if (values.size() == VALUES) {
        unbound++;
        continue;
      }
      Optional<Long> accepted = accepted(first, size, param, value);
      accepted.ifPresent(values::add);
      if (accepted.isEmpty() && !binder.isRefused(first, with(size, param.name(), value))) {
        large.computeIfAbsent(param.name(), _ -> new LinkedHashSet<>()).add(value);
      }
    }
    return values;
  }

  /** The values for the world, then those that other numbers of ranks imply. */
  private Set<Long> candidates(Map<String, Long> size, Form.Param param) {
    Set<Long> values = new LinkedHashSet<>();
    Set<Integer> ranks = new LinkedHashSet<>();
    ranks.add(Topology.parse(first).world());
    worlds.forEach(other -> ranks.add(Topology.parse(other).world()));
    for (int n : ranks) {
      values.addAll(ParamBoundaries.of(form, n, size, param));
    }
    return values;
  }

  /** The value, or the next one that is a whole number of elements. */
  private Optional<Long> accepted(
      String world, Map<String, Long> size, Form.Param param, long value) {
    if (value > CombinationBinder.BYTES) {
      return Optional.empty();
    }
    Map<String, Long> params = with(size, param.name(), value);
    Optional<Combination> combination = binder.bound(world, params);
    if (combination.isPresent() || !binder.isRefused(world, params)) {
      return combination.map(_ -> value);
    }
    for (long unit : UNITS) {
      long whole = Math.ceilDiv(value, unit) * unit;
      if (whole <= param.max() && binder.fits(world, with(size, param.name(), whole))) {
        return Optional.of(whole);
      }
    }
    return Optional.empty();
  }
}
