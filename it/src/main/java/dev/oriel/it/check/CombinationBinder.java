package dev.oriel.it.check;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.topology.WorldShape;
import dev.oriel.domain.tuning.WorldParams;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.engine.EngineRequirements;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Binds a form in worlds with parameter values, and records what is refused. */
final class CombinationBinder {
  /** The most memory of a world that was not requested. */
  static final long BYTES = 1L << 22;

  /** The same for {@link Combination#load}. */
  private static final long LOAD = 1L << 27;

  /**
   * The factor by which the first combination, and one that is only executed once, may exceed both
   * limits if it was not requested.
   */
  private static final long FIRST = 4;

  /** The same factor for a size that the text implies and that is too large to search. */
  private static final long LARGE = 8;

  private final Form form;
  private final String requested;
  private final Set<String> given;
  private final List<CheckCoverage.RefusedCombination> refused = new ArrayList<>();
  private final Set<String> refusals = new HashSet<>();

  /**
   * Binds that form.
   *
   * @param requested the world in which a form may rely on mapped memory over a network
   * @param given parameters whose values were requested
   */
  CombinationBinder(Form form, String requested, Set<String> given) {
    this.form = form;
    this.requested = requested;
    this.given = Set.copyOf(given);
  }

  /** Empty and recorded if it is refused; empty also if it is too large. */
  Optional<Combination> bound(String world, Map<String, Long> params) {
    return bound(world, params, CombinationBinder::isSmall);
  }

  /** The same for a combination that is only executed once, which may be larger. */
  Optional<Combination> boundOnce(String world, Map<String, Long> params) {
    return bound(world, params, CombinationBinder::mayBeFirst);
  }

  /** The same for the largest that are executed once. */
  Optional<Combination> boundLarge(String world, Map<String, Long> params) {
    return params.values().stream().anyMatch(value -> value > LARGE * BYTES)
        ? Optional.empty()
        : bound(world, params, combination -> isWithin(combination, LARGE));
  }

  private Optional<Combination> bound(
      String world, Map<String, Long> params, Predicate<Combination> small) {
    try {
      Combination combination = unlowered(world, params);
      return small.test(combination) ? Optional.of(lowered(combination)) : Optional.empty();
    } catch (IllegalArgumentException | MachineException e) {
      refuse(world, params, e);
      return Optional.empty();
    }
  }

  /**
   * The same for one that is only executed once, but a refusal is recorded only if the program may
   * be wrong there, and once for each world and reason.
   */
  Optional<Combination> tried(String world, Map<String, Long> params) {
    try {
      Combination combination = unlowered(world, params);
      return mayBeFirst(combination) ? Optional.of(lowered(combination)) : Optional.empty();
    } catch (IllegalArgumentException | MachineException e) {
      CheckCoverage.RefusedCombination one = CheckCoverage.RefusedCombination.of(world, params, e);
      boolean known =
          refused.stream().anyMatch(r -> r.world().equals(world) && r.what().equals(one.what()));
      if (one.possible() && !known) {
        refuse(world, params, e);
      }
      return Optional.empty();
    }
  }

  /** Whether it can be bound and is small. */
  boolean fits(String world, Map<String, Long> params) {
    return fits(world, params, CombinationBinder::isSmall);
  }

  /** Whether it can be bound and is small enough for the first combination. */
  boolean fitsFirst(String world, Map<String, Long> params) {
    return fits(world, params, CombinationBinder::mayBeFirst);
  }

  /** Whether it can be bound, however large it is. */
  boolean fitsSomehow(String world, Map<String, Long> params) {
    return fits(world, params, _ -> true);
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

  /** One combination may take longer than each of many. */
  private static boolean mayBeFirst(Combination combination) {
    return isWithin(combination, FIRST);
  }

  private static boolean isSmall(Combination combination) {
    return isWithin(combination, 1);
  }

  private static boolean isWithin(Combination combination, long factor) {
    return combination.work() <= factor * BYTES && combination.load() <= factor * LOAD;
  }

  /** All that were refused, in the order in which they were tried. */
  List<CheckCoverage.RefusedCombination> refused() {
    return refused;
  }

  /** Records that it is refused, once. */
  void refuse(String world, Map<String, Long> params, RuntimeException reason) {
    if (refusals.add(world + params)) {
      refused.add(CheckCoverage.RefusedCombination.of(world, params, reason));
    }
  }

  /** Whether {@link #refuse} recorded it. */
  boolean isRefused(String world, Map<String, Long> params) {
    return refusals.contains(world + params);
  }

  private Combination unlowered(String world, Map<String, Long> params) {
    return unlowered(form, world, params);
  }

  /**
   * That form in a world.
   *
   * @throws IllegalArgumentException or {@link MachineException} with the reason if it is refused
   */
  Combination bind(Form form, String world, Map<String, Long> params) {
    return lowered(unlowered(form, world, params));
  }

  private Combination unlowered(Form form, String world, Map<String, Long> params) {
    Topology topology = Topology.parse(world);
    Program program = Program.bind(form, topology.world(), values(form, topology, params));
    return new Combination(WorldShape.parse(world).toString(), topology, program);
  }

  /** The same values, but those that the world determines. */
  Map<String, Long> values(Form of, Topology topology, Map<String, Long> params) {
    Map<String, Long> values = new TreeMap<>(params);
    of.params().stream()
        .filter(param -> !given.contains(param.name()))
        .forEach(param ->
            WorldParams.value(param, topology).ifPresent(value -> values.put(param.name(), value)));
    return values;
  }

  /** The same, after checking that the program can be lowered for the links of the world. */
  private Combination lowered(Combination combination) {
    Topology topology = combination.topology();
    LoweredForm lowered =
        EngineRequirements.lower(combination.program(), topology, topology.kinds());
    boolean asked = combination.world().equals(requested);
    if (!asked && topology.kinds().contains(PeerKind.RDMA) && lowered.wantsMappedMemory()) {
      throw new MachineException(
          "relies on mapped memory, by copy engines or lines: form=%s, world=%s; give the world by --world"
              .formatted(form.name(), combination.world()));
    }
    return combination;
  }

  /** Whether the check chooses its value: it was not requested, and the world determines none. */
  boolean isChosen(Form.Param param, Topology topology) {
    return !given.contains(param.name()) && WorldParams.value(param, topology).isEmpty();
  }

  /** The values with another one for that parameter. */
  static Map<String, Long> with(Map<String, Long> size, String param, long value) {
    Map<String, Long> changed = new TreeMap<>(size);
    changed.put(param, value);
    return changed;
  }
}
