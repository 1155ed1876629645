package dev.oriel.it.check;

import static dev.oriel.it.check.CombinationBinder.with;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.boundary.LoopTurns;
import dev.oriel.domain.boundary.ParamBoundaries;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.topology.Topology;
import dev.oriel.it.options.ParamValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The sizes that were requested, with a default for every other parameter. */
final class RequestedSizes {
  /** Larger sizes cost time and show nothing new, unless the text says otherwise. */
  static final long SMALL = 1000;

  /** More lanes of a rank take minutes: each pair of them has orders of its own. */
  private static final int MANY_LANES = 32;

  /** As many lanes show what lanes do to each other. */
  private static final int FEW_LANES = 8;

  /** A value that counts lanes or turns, where no other is found. */
  private static final long FEW = 4;

  /** The same for the turns of a lane, those of loops within loops as often as they happen. */
  private static final int MANY_TURNS = 2_000;

  private static final int FEW_TURNS = 200;

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

  private Map<String, Long> defaults() {
    Map<String, Long> size = new TreeMap<>();
    form.params().forEach(param -> size.put(param.name(), Math.min(param.max(), SMALL)));
    required(size);
    fewLanesAndTurns(size);
    if (form.params().size() > 1) {
      littleMemory(size);
    }
    return size;
  }

  /** Later parameters are small if all at once would take too much memory. */
  private void littleMemory(Map<String, Long> size) {
    Topology topology = Topology.parse(worlds.getFirst());
    for (Form.Param param : form.params().reversed()) {
      if (!binder.isChosen(param, topology)) {
        continue;
      }
      Map<String, Long> known = new TreeMap<>(size);
      given.forEach((name, values) -> known.put(name, values.getFirst()));
      if (binder.fitsFirst(worlds.getFirst(), known)) {
        return;
      }
      ParamBoundaries.of(form, topology.world(), known, param).stream()
          .filter(value ->
              value < SMALL
                  && binder.fitsFirst(worlds.getFirst(), with(known, param.name(), value)))
          .max(Long::compare)
          .ifPresent(value -> size.put(param.name(), value));
    }
  }

  /**
   * Where a rank has many lanes, or a lane many turns, the parameters that count them are small.
   */
  private void fewLanesAndTurns(Map<String, Long> size) {
    Topology topology = Topology.parse(worlds.getFirst());
    LoopTurns loops = new LoopTurns(form);
    int world = topology.world();
    small(size, topology, params -> loops.lanes(world, params), MANY_LANES, FEW_LANES);
    small(size, topology, params -> loops.all(world, params), MANY_TURNS, FEW_TURNS);
  }

  private void small(
      Map<String, Long> size,
      Topology topology,
      ToLongFunction<Map<String, Long>> measure,
      long many,
      long few) {
    for (Form.Param param : form.params().reversed()) {
      Map<String, Long> known = new TreeMap<>(size);
      given.forEach((name, values) -> known.put(name, values.getFirst()));
      long now = measure.applyAsLong(binder.values(form, topology, known));
      if (now <= many) {
        return;
      }
      long value = known.getOrDefault(param.name(), 0L);
      if (value <= FEW
          || !binder.isChosen(param, topology)
          || measure.applyAsLong(binder.values(form, topology, with(known, param.name(), FEW)))
              >= now) {
        continue;
      }
      long small =
          Stream.concat(
                  LongStream.rangeClosed(1, FEW).boxed(),
                  ParamBoundaries.of(form, topology.world(), known, param).stream())
              .filter(other -> other < value && intended(with(size, param.name(), other)))
              .filter(other -> {
                long then =
                    measure.applyAsLong(
                        binder.values(form, topology, with(known, param.name(), other)));
                return then > 0 && then <= few;
              })
              .max(Long::compare)
              .orElse(FEW);
      if (intended(with(size, param.name(), small))) {
        size.put(param.name(), small);
      }
    }
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
