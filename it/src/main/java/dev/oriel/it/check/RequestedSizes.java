package dev.oriel.it.check;

import static dev.oriel.it.check.CombinationBinder.with;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.boundary.ParamBoundaries;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.topology.Topology;
import dev.oriel.it.options.ParamValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The sizes that were requested, with a default for every other parameter. */
final class RequestedSizes {
  /** Larger sizes cost time and show nothing new, unless the text says otherwise. */
  static final long SMALL = 1000;

  private final Form form;
  private final CombinationBinder binder;
  private final List<String> worlds;
  private final Map<String, List<Long>> given;

  RequestedSizes(
      Form form, CombinationBinder binder, List<String> worlds, Map<String, List<Long>> given) {
    this.form = form;
    this.binder = binder;
    this.worlds = List.copyOf(worlds);
    this.given = new TreeMap<>(given);
  }

  /** Every combination of the requested values, with defaults for all other parameters. */
  List<Map<String, Long>> all() {
    long count = 1;
    for (List<Long> values : given.values()) {
      count *= values.size();
      if (count > ParamValues.MOST) {
        throw new IllegalArgumentException(
            "too many combinations: option=--set, combinations>%d, max=%d; give fewer values"
                .formatted(ParamValues.MOST, ParamValues.MOST));
      }
    }
    List<Map<String, Long>> sizes = List.of(defaults());
    for (Map.Entry<String, List<Long>> one : given.entrySet()) {
      List<Map<String, Long>> next = new ArrayList<>();
      for (Map<String, Long> size : sizes) {
        one.getValue().forEach(value -> next.add(with(size, one.getKey(), value)));
      }
      sizes = next;
    }
    return sizes;
  }

  /** With several parameters, later ones are small if all at once would take too much memory. */
  private Map<String, Long> defaults() {
    Map<String, Long> size = new TreeMap<>();
    form.params().forEach(param -> size.put(param.name(), Math.min(param.max(), SMALL)));
    required(size);
    if (form.params().size() < 2) {
      return size;
    }
    Topology topology = Topology.parse(worlds.getFirst());
    for (Form.Param param : form.params().reversed()) {
      if (!binder.isChosen(param, topology)) {
        continue;
      }
      Map<String, Long> known = new TreeMap<>(size);
      given.forEach((name, values) -> known.put(name, values.getFirst()));
      if (binder.fitsFirst(worlds.getFirst(), known)) {
        return size;
      }
      ParamBoundaries.of(form, topology.world(), known, param).stream()
          .filter(value ->
              value < SMALL
                  && binder.fitsFirst(worlds.getFirst(), with(known, param.name(), value)))
          .max(Long::compare)
          .ifPresent(value -> size.put(param.name(), value));
    }
    return size;
  }

  /** Changes one value after another until the form is meant for them, if it can be found. */
  private void required(Map<String, Long> size) {
    for (Form.Param param : form.params()) {
      if (given.containsKey(param.name()) || intended(size)) {
        continue;
      }
      List<Long> candidates = new ArrayList<>();
      for (long unit = ImpliedSizes.UNITS[0]; unit <= SMALL; unit *= 2) {
        candidates.add(Math.ceilDiv(SMALL, unit) * unit);
      }
      for (String world : worlds) {
        candidates.addAll(
            ParamBoundaries.of(form, Topology.parse(world).world(), size, param).reversed());
      }
      candidates.stream()
          .filter(value -> value <= param.max() && intended(with(size, param.name(), value)))
          .findFirst()
          .ifPresent(value -> size.put(param.name(), value));
    }
  }

  /** Whether the form's requirements hold in one of the worlds; not where they have no value. */
  private boolean intended(Map<String, Long> params) {
    Map<String, Long> all = new TreeMap<>(params);
    given.forEach((name, values) -> all.put(name, values.getFirst()));
    try {
      return worlds.stream()
          .anyMatch(world -> Program.intended(form, Topology.parse(world).world(), all));
    } catch (ProgramException _) {
      return false;
    }
  }
}
