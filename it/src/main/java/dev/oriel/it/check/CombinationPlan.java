package dev.oriel.it.check;

import static java.util.stream.Collectors.partitioningBy;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.boundary.LoopTurns;
import dev.oriel.domain.boundary.ParamBoundaries;
import dev.oriel.domain.boundary.UnreachedBlocks;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.topology.WorldShape;
import dev.oriel.domain.tuning.WorldParams;
import dev.oriel.it.options.ParamValues;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.engine.EngineRequirements;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The combinations of worlds and parameter values that a check covers: all requested ones, and as
 * many of those implied by the program's text as its effort allows.
 */
final class CombinationPlan {
  /** Larger sizes cost time and show nothing new, unless the text says otherwise. */
  static final long SMALL = 1000;

  /** The most memory of a world that was not requested. */
  private static final long BYTES = 1L << 22;

  /** The same for {@link Combination#load}. */
  private static final long LOAD = 1L << 27;

  /** The factor by which the first combination may exceed both limits if none was requested. */
  private static final long FIRST = 4;

  /** The most ranks of a world for which combinations are added. */
  private static final int RANKS = 16;

  /** The largest value that is tried where no other one leads into some block. */
  private static final long REACHED = 4096;

  /** Combinations with more turns of a loop come last. */
  private static final long TURNS = 200;

  /** The most values of one parameter besides the first one. */
  private static final int VALUES = 24;

  /** Of two parameters, the sum of the places of two values that are taken together. */
  private static final int PAIRED = 5;

  /** The most values that one value of another parameter implies. */
  private static final int JOINT = 5;

  /** The number of ranks in a text. */
  private static final String RANK_COUNT = "n";

  /** Alignments of elements and packets. */
  private static final long[] UNITS = {2, 4, 8, 16};

  private final List<Form> forms;

  /** The form whose text implies more combinations. */
  private final Form form;

  private final List<String> worlds;
  private final Map<String, List<Long>> given;
  private final List<CheckCoverage.RefusedCombination> refused = new ArrayList<>();
  private final Set<String> refusals = new HashSet<>();
  private final List<Combination> asked = new ArrayList<>();
  private final List<Candidate> more = new ArrayList<>();
  private final LoopTurns loops;
  private final boolean alone;
  private final List<Map<String, Long>> sizes;

  /** For each parameter that was not requested: its implied values, the most revealing first. */
  private final Map<String, List<Long>> varied = new LinkedHashMap<>();

  /** The world that is checked most thoroughly. */
  private final String first;

  private int unbound;

  /** Values that the text implies, by name, and that are too large for any combination. */
  private final Map<String, SortedSet<Long>> large = new TreeMap<>();

  /** A combination that may still be refused. */
  private record Candidate(String world, Map<String, Long> params) {}

  /**
   * Plans the combinations.
   *
   * @param forms several for a plan, which is checked by all of them; they have no parameters
   * @param worlds with several, one in which the program can be bound suffices
   * @param given requested values, by parameter
   * @param alone whether only requested combinations are checked
   */
  CombinationPlan(
      List<Form> forms, SmallWorlds worlds, Map<String, List<Long>> given, boolean alone) {
    this.forms = List.copyOf(forms);
    this.form = forms.getFirst();
    this.loops = new LoopTurns(form);
    this.worlds = worlds.names();
    if (!worlds.larger().isEmpty()) {
      large.put(RANK_COUNT, worlds.larger());
    }
    this.given = new TreeMap<>(given);
    this.alone = alone;
    this.sizes = product();
    this.first = first();
  }

  /** Adds the combinations that the text implies, if the world is small. */
  void imply() {
    if (alone || Topology.parse(first).world() > RANKS) {
      return;
    }
    List<Map<String, Long>> implied = List.copyOf(implied(sizes.getFirst()));
    List<String> others = worlds.stream().filter(world -> !world.equals(first)).toList();
    inTurns(
        implied.stream().map(size -> new Candidate(first, size)).toList(),
        others.stream().map(world -> new Candidate(world, sizes.getFirst())).toList());
    List<Map<String, Long>> rest = new ArrayList<>(sizes.subList(1, sizes.size()));
    rest.addAll(implied);
    Set<Map<String, Long>> pairs = joint(sizes.getFirst());
    pairs.addAll(pairs(sizes.getFirst()));
    inTurns(
        rest.stream()
            .flatMap(size -> others.stream().map(world -> new Candidate(world, size)))
            .toList(),
        pairs.stream().map(size -> new Candidate(first, size)).toList());
    Map<Boolean, List<Candidate>> byLength = more.stream().collect(partitioningBy(this::isLong));
    more.clear();
    more.addAll(byLength.get(false));
    more.addAll(byLength.get(true));
  }

  /** One such combination costs as much as many others, which come first. */
  private boolean isLong(Candidate one) {
    Topology topology = Topology.parse(one.world);
    return loops.most(topology.world(), values(form, topology, one.params)) > TURNS;
  }

  /** Of neither list much is left out where the effort ends early. */
  private void inTurns(List<Candidate> some, List<Candidate> others) {
    for (int i = 0; i < Math.max(some.size(), others.size()); i++) {
      if (i < some.size()) {
        more.add(some.get(i));
      }
      if (i < others.size()) {
        more.add(others.get(i));
      }
    }
  }

  /** The requested combinations that can be bound: at least one, all in one world. */
  List<Combination> asked() {
    return asked;
  }

  /** Whether there are others, which may be refused. */
  boolean hasMore() {
    return !more.isEmpty();
  }

  /** The next of the others; empty if it is refused or too large. */
  Optional<Combination> take() {
    Candidate next = more.removeFirst();
    Optional<Combination> taken = bound(next.world, next.params);
    unbound += taken.isEmpty() && !isRefused(next.world, next.params) ? 1 : 0;
    return taken;
  }

  /** The number of others that were not checked, although they were not refused. */
  int left() {
    return more.size() + unbound;
  }

  /** Values that the text implies, and that are too large for any combination, in words. */
  List<String> large() {
    return large.entrySet().stream()
        .map(one -> one.getKey() + "=" + ParamWords.runs(one.getValue()))
        .toList();
  }

  /** Records one that an engine refused. */
  void refuse(Combination combination, RuntimeException reason) {
    refuse(combination.world(), combination.program().params(), reason);
  }

  List<CheckCoverage.RefusedCombination> refused() {
    return refused;
  }

  /** Every combination of the requested values, with defaults for all other parameters. */
  private List<Map<String, Long>> product() {
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
      if (given.containsKey(param.name()) || determined(param, topology)) {
        continue;
      }
      Map<String, Long> known = new TreeMap<>(size);
      given.forEach((name, values) -> known.put(name, values.getFirst()));
      if (fits(worlds.getFirst(), known, CombinationPlan::mayBeFirst)) {
        return size;
      }
      ParamBoundaries.of(form, topology.world(), known, param).stream()
          .filter(value ->
              value < SMALL
                  && fits(
                      worlds.getFirst(),
                      with(known, param.name(), value),
                      CombinationPlan::mayBeFirst))
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
      for (long unit = UNITS[0]; unit <= SMALL; unit *= 2) {
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

  private boolean fits(String world, Map<String, Long> params) {
    return fits(world, params, CombinationPlan::isSmall);
  }

  private boolean fits(String world, Map<String, Long> params, Predicate<Combination> small) {
    try {
      Combination combination = unlowered(world, params);
      if (!small.test(combination)) {
        return false;
      }
      Combination _ = lowered(combination);
      return true;
    } catch (IllegalArgumentException | MachineException _) {
      return false;
    }
  }

  /** The first combination may take longer than one of the others. */
  private static boolean mayBeFirst(Combination combination) {
    return combination.work() <= FIRST * BYTES && combination.load() <= FIRST * LOAD;
  }

  private static boolean isSmall(Combination combination) {
    return combination.work() <= BYTES && combination.load() <= LOAD;
  }

  /** The first world in which a requested combination can be bound. */
  private String first() {
    List<RuntimeException> reasons = new ArrayList<>();
    for (String world : worlds) {
      for (Map<String, Long> size : sizes) {
        try {
          for (Form each : forms) {
            asked.add(lowered(unlowered(each, world, size)));
          }
        } catch (MachineException e) {
          if (e.environment()) {
            throw e;
          }
          reasons.add(e);
          refuse(world, size, e);
        } catch (IllegalArgumentException e) {
          reasons.add(e);
          refuse(world, size, e);
        }
      }
      if (!asked.isEmpty()) {
        return world;
      }
    }
    // A mistake in a world that the text is meant for says more than that it is meant for no other.
    throw reasons.stream()
        .filter(reason -> !String.valueOf(reason.getMessage()).startsWith(Program.UNINTENDED))
        .findFirst()
        .orElse(reasons.getFirst());
  }

  /**
   * Sizes that differ from that one in one parameter, as the text implies; the most revealing
   * first.
   */
  private Set<Map<String, Long>> implied(Map<String, Long> size) {
    Topology topology = Topology.parse(first);
    for (Form.Param param : form.params()) {
      if (!given.containsKey(param.name()) && !determined(param, topology)) {
        varied.put(param.name(), implied(size, param));
      }
    }
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
  private Set<Map<String, Long>> pairs(Map<String, Long> size) {
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
  private Set<Map<String, Long>> joint(Map<String, Long> size) {
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
                  .flatMap(implied -> accepted(with, other, implied).stream())
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

  /** Values that lead into blocks which no other one reaches, then the others. */
  private List<Long> implied(Map<String, Long> size, Form.Param param) {
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
      Optional<Long> accepted = accepted(size, param, value);
      accepted.ifPresent(values::add);
      if (accepted.isEmpty() && !isRefused(first, with(size, param.name(), value))) {
        large.computeIfAbsent(param.name(), _ -> new TreeSet<>()).add(value);
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
  private Optional<Long> accepted(Map<String, Long> size, Form.Param param, long value) {
    if (value > BYTES) {
      return Optional.empty();
    }
    Map<String, Long> params = with(size, param.name(), value);
    Optional<Combination> combination = bound(first, params);
    if (combination.isPresent() || !isRefused(first, params)) {
      return combination.map(_ -> value);
    }
    for (long unit : UNITS) {
      long whole = Math.ceilDiv(value, unit) * unit;
      if (whole <= param.max() && fits(first, with(size, param.name(), whole))) {
        return Optional.of(whole);
      }
    }
    return Optional.empty();
  }

  /** Empty and recorded if it is refused; empty also if it is too large. */
  private Optional<Combination> bound(String world, Map<String, Long> params) {
    try {
      Combination combination = unlowered(world, params);
      return isSmall(combination) ? Optional.of(lowered(combination)) : Optional.empty();
    } catch (IllegalArgumentException | MachineException e) {
      refuse(world, params, e);
      return Optional.empty();
    }
  }

  private void refuse(String world, Map<String, Long> params, RuntimeException reason) {
    if (refusals.add(world + params)) {
      refused.add(CheckCoverage.RefusedCombination.of(world, params, reason));
    }
  }

  private boolean isRefused(String world, Map<String, Long> params) {
    return refusals.contains(world + params);
  }

  private Combination unlowered(String world, Map<String, Long> params) {
    return unlowered(form, world, params);
  }

  private Combination unlowered(Form form, String world, Map<String, Long> params) {
    Topology topology = Topology.parse(world);
    Program program = Program.bind(form, topology.world(), values(form, topology, params));
    return new Combination(WorldShape.parse(world).toString(), topology, program);
  }

  /** The same values, but those that the world determines. */
  private Map<String, Long> values(Form of, Topology topology, Map<String, Long> params) {
    Map<String, Long> values = new TreeMap<>(params);
    of.params().stream()
        .filter(param -> !given.containsKey(param.name()))
        .forEach(param ->
            WorldParams.value(param, topology).ifPresent(value -> values.put(param.name(), value)));
    return values;
  }

  /** The same, after checking that the program can be lowered for the links of the world. */
  private Combination lowered(Combination combination) {
    Topology topology = combination.topology();
    LoweredForm lowered =
        EngineRequirements.lower(combination.program(), topology, topology.kinds());
    boolean asked = combination.world().equals(worlds.getFirst());
    if (!asked && topology.kinds().contains(PeerKind.RDMA) && lowered.wantsMappedMemory()) {
      throw new MachineException(
          "relies on mapped memory, by copy engines or lines: form=%s, world=%s; give the world by --world"
              .formatted(form.name(), combination.world()));
    }
    return combination;
  }

  private static boolean determined(Form.Param param, Topology topology) {
    return WorldParams.value(param, topology).isPresent();
  }

  private static Map<String, Long> with(Map<String, Long> size, String param, long value) {
    Map<String, Long> changed = new TreeMap<>(size);
    changed.put(param, value);
    return changed;
  }
}
