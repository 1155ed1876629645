package dev.oriel.it.check;

import static java.util.stream.Collectors.partitioningBy;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.boundary.LoopTurns;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;

/**
 * The combinations of worlds and parameter values that a check covers: all requested ones, and as
 * many of those implied by the program's text as its effort allows.
 */
final class CombinationPlan {
  /** The most ranks of a world for which combinations are added. */
  private static final int RANKS = 16;

  /** Combinations with more turns of a loop come last. */
  private static final long TURNS = 200;

  private final List<Form> forms;

  /** The form whose text implies more combinations. */
  private final Form form;

  private final List<String> worlds;
  private final List<String> sampled;
  private final List<String> larger;
  private final List<String> usual;
  private final CombinationBinder binder;
  private final List<Combination> asked = new ArrayList<>();
  private final SequencedSet<Candidate> more = new LinkedHashSet<>();

  /** Of these, those that are too large to search. They may still be executed once. */
  private final SequencedSet<Candidate> heavy = new LinkedHashSet<>();

  /** Those that the text implies in worlds that are not searched. */
  private final SequencedSet<Candidate> afar = new LinkedHashSet<>();

  private final LoopTurns loops;
  private final boolean alone;
  private final List<Map<String, Long>> sizes;

  /** The world that is checked most thoroughly. */
  private final String first;

  private int unbound;

  /** Implied values that are neither searched nor executed. */
  private UnsearchedValues unsearched;

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
    this.sampled = worlds.sampled();
    this.larger = worlds.sampledLarger();
    this.usual = worlds.sampledUsual();
    this.binder = new CombinationBinder(form, this.worlds.getFirst(), given.keySet());
    this.alone = alone;
    this.sizes = new RequestedSizes(form, binder, this.worlds, given).all();
    this.first = first();
    this.unsearched = new UnsearchedValues(sizes.getFirst(), Map.of(), worlds.unsearched());
  }

  /** Whether only requested combinations are checked. */
  private boolean isClosed() {
    return alone || Topology.parse(first).world() > RANKS;
  }

  /** Combinations of which a few executions are made; which can be bound is seen later. */
  List<Candidate> samples() {
    return isClosed() ? List.of() : new SampledCombinations(form, binder, sampled, sizes).all();
  }

  /** Combinations that the text implies, and that were not searched. */
  List<Candidate> leftOut() {
    List<Candidate> all = new ArrayList<>(more);
    all.addAll(heavy);
    all.addAll(afar);
    return all;
  }

  /** The same in worlds of which nothing is searched. */
  List<Candidate> afar() {
    if (!isClosed() && worlds.size() > 1) {
      afar.addAll(new SampledCombinations(form, binder, sampled, sizes).implied(larger, worlds));
      usual.forEach(world -> afar.add(new Candidate(world, sizes.getFirst())));
    }
    return List.copyOf(afar);
  }

  /** Sizes that are too large to search, in the world that is checked most thoroughly. */
  List<Candidate> largeSizes() {
    return unsearched.params().stream().map(params -> new Candidate(first, params)).toList();
  }

  /** One of {@link #largeSizes}, to be executed once; empty if it is too large even for that. */
  Optional<Combination> sampledLarge(Candidate one) {
    Optional<Combination> bound = binder.boundLarge(one.world(), one.params());
    if (bound.isEmpty() && binder.isRefused(one.world(), one.params())) {
      settle(one);
    }
    return bound;
  }

  /** One of the others, to be executed once; empty if it is refused or too large even for that. */
  Optional<Combination> sampled(Candidate one) {
    if (!more.contains(one) && !heavy.contains(one)) {
      Optional<Combination> tried = binder.tried(one.world(), one.params());
      if (tried.isEmpty() && !binder.fitsSomehow(one.world(), one.params())) {
        settle(one);
      }
      return tried;
    }
    Optional<Combination> bound = binder.boundOnce(one.world(), one.params());
    if (bound.isEmpty() && binder.isRefused(one.world(), one.params())) {
      settle(one);
    }
    return bound;
  }

  /** It was executed or refused, so it is not left out. */
  void settle(Candidate one) {
    more.remove(one);
    heavy.remove(one);
    afar.remove(one);
    unsearched = unsearched.only(params -> !new Candidate(first, params).equals(one));
  }

  /** Adds the combinations that the text implies, if the world is small. */
  void imply() {
    if (isClosed()) {
      return;
    }
    ImpliedSizes sought = new ImpliedSizes(form, binder, first, worlds, sizes.getFirst());
    List<Map<String, Long>> implied = List.copyOf(sought.one());
    List<String> others = worlds.stream().filter(world -> !world.equals(first)).toList();
    List<Candidate> elsewhere = new ArrayList<>();
    others.forEach(world -> elsewhere.add(new Candidate(world, sizes.getFirst())));
    others.forEach(
        world -> sought.onlyIn(world).forEach(size -> elsewhere.add(new Candidate(world, size))));
    inTurns(implied.stream().map(size -> new Candidate(first, size)).toList(), elsewhere);
    List<Map<String, Long>> rest = new ArrayList<>(sizes.subList(1, sizes.size()));
    rest.addAll(implied);
    Set<Map<String, Long>> pairs = sought.joint();
    pairs.addAll(sought.pairs());
    unbound += sought.unbound();
    unsearched = new UnsearchedValues(sizes.getFirst(), sought.large(), unsearched.ranks());
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
    Topology topology = Topology.parse(one.world());
    return loops.most(topology.world(), binder.values(form, topology, one.params())) > TURNS;
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
    Optional<Combination> bound = binder.bound(next.world(), next.params());
    if (bound.isEmpty() && !binder.isRefused(next.world(), next.params())) {
      heavy.add(next);
    }
    return bound;
  }

  /** Combinations that the text implies, and that were neither searched nor executed. */
  LeftOut left() {
    return new LeftOut(leftOut(), unbound);
  }

  /** Implied values that are neither searched nor executed. */
  UnsearchedValues unsearched() {
    return unsearched;
  }

  /** Records one that an engine refused. */
  void refuse(Combination combination, RuntimeException reason) {
    binder.refuse(combination.world(), combination.program().params(), reason);
  }

  List<CheckCoverage.RefusedCombination> refused() {
    return binder.refused();
  }

  /** The first world in which a requested combination can be bound. */
  private String first() {
    List<RuntimeException> reasons = new ArrayList<>();
    for (String world : worlds) {
      for (Map<String, Long> size : sizes) {
        try {
          for (Form each : forms) {
            asked.add(binder.bind(each, world, size));
          }
        } catch (MachineException e) {
          if (e.environment()) {
            throw e;
          }
          reasons.add(e);
          binder.refuse(world, size, e);
        } catch (IllegalArgumentException e) {
          reasons.add(e);
          binder.refuse(world, size, e);
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
}
