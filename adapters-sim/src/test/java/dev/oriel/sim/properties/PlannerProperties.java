package dev.oriel.sim.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.placement.BufferOffsets;
import dev.oriel.domain.placement.InPlace;
import dev.oriel.domain.program.AppliedHooks;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Grouping;
import dev.oriel.domain.program.Space;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.rewrite.ReductionEdits;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.ShippedProgram;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import dev.oriel.sim.testing.SizeArbitraries;
import dev.oriel.sim.testing.WorldArbitraries;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Every shipped program satisfies its post-condition in any world of up to nine ranks, for any
 * size, type and operator, in place and not, at any offset. Each draw is checked with all programs
 * of a kind, so none is omitted by chance.
 */
class PlannerProperties {
  private static final int TRIES = 12;

  /** Reporting a failure takes long. */
  private static final int BROKEN_TRIES = 5;

  private static final int LAUNCHES = 2;
  private static final int RANKS = 9;
  private static final int MOST = 300;
  private static final Budget BUDGET = new Budget(1, 1, 2_000_000, 1);

  /** From no element, through fewer elements than ranks, to several lines. */
  private static final int ELEMENTS = 40;

  /** The strategy, profile and seed of one execution. */
  record Look(Strategy strategy, Profile profile, long seed) {}

  /**
   * Parameters of programs without a type of their own.
   *
   * @param domain ranks of a domain, whether or not the world has domains
   * @param count tokens, or rows of a matrix
   * @param places the offsets of the caller's memory
   */
  record Given(long bytes, long root, long domain, long count, Places places) {
    Map<String, Long> params(Form form) {
      Map<String, Long> all =
          Map.of("B", bytes, "root", root, "domain", domain, "R", count, "T", count, "E", count);
      return form.params().stream()
          .map(Form.Param::name)
          .collect(Collectors.toMap(name -> name, all::get));
    }

    /** The same with whole elements of the form's reduction. */
    Given whole(Form form) {
      long element = ReductionEdits.first(form).map(r -> (long) r.type().bytes()).orElse(1L);
      return of(bytes / element * element);
    }

    Given of(long other) {
      return new Given(other, root, domain, count, places);
    }
  }

  /**
   * Whether one buffer is input and output, and by how much inputs and outputs are shifted: in
   * bytes, elements or words, whichever have to be aligned.
   */
  record Places(boolean inPlace, long input, long output) {
    Form of(Form form) {
      boolean may =
          ShippedProgram.ofForm(form.name()).orElseThrow().apart().isEmpty()
              && count(form, Space.INPUT) == 1
              && count(form, Space.OUTPUT) == 1;
      long unit =
          AppliedHooks.of(form).isEmpty() && count(form, Space.INPUT) == 1
              ? ReductionEdits.first(form).map(r -> (long) r.type().bytes()).orElse(1L)
              : Long.BYTES;
      Form placed = inPlace && may ? InPlace.of(form) : form;
      return BufferOffsets.of(
          placed,
          placed.buffers().stream()
              .filter(b -> b.space().callers())
              .collect(
                  Collectors.toMap(
                      Buffer::name, b -> unit * (b.space().taken() ? output : input))));
    }

    private static long count(Form form, Space space) {
      return form.buffers().stream().filter(b -> b.space() == space).count();
    }
  }

  /** The type of the elements, and the operator. */
  record Elements(DataType type, ReduceOp op, int count) {}

  @Provide
  Arbitrary<Topology> worlds() {
    return WorldArbitraries.topologies(RANKS);
  }

  /** On one host, connected by NVLink. */
  @Provide
  Arbitrary<Topology> hosts() {
    return Arbitraries.integers().between(1, RANKS).map(gpus -> Topology.grid(1, gpus));
  }

  @Provide
  Arbitrary<Topology> worldsOfPeers() {
    return worlds().filter(world -> world.world() > 1);
  }

  @Provide
  Arbitrary<Topology> hostsOfPeers() {
    return hosts().filter(world -> world.world() > 1);
  }

  @Provide
  Arbitrary<Look> looks() {
    return Combinators.combine(
            Arbitraries.of(Strategy.RANDOM, Strategy.PCT),
            Arbitraries.of(Judged.WEAK),
            Arbitraries.longs().between(1, 1_000_000))
        .as(Look::new);
  }

  @Provide
  Arbitrary<Given> given() {
    return Combinators.combine(
            SizeArbitraries.bytes(MOST),
            Arbitraries.longs().between(0, RANKS),
            Arbitraries.longs().between(0, RANKS),
            Arbitraries.longs().between(0, 3),
            places())
        .as(Given::new);
  }

  private static Arbitrary<Places> places() {
    return Combinators.combine(
            Arbitraries.of(false, true),
            Arbitraries.longs().between(0, 15),
            Arbitraries.longs().between(0, 15))
        .as(Places::new);
  }

  /** At least one element of four bytes and one row. */
  @Provide
  Arbitrary<Given> something() {
    return given().filter(given -> given.bytes() > 3 && given.count() > 0);
  }

  @Provide
  Arbitrary<Elements> elements() {
    return Combinators.combine(
            Arbitraries.of(DataType.class),
            Arbitraries.of(ReduceOp.class),
            Arbitraries.integers().between(0, ELEMENTS))
        .as(Elements::new);
  }

  @Property(tries = TRIES)
  @Sampled(every = 5)
  void programsThatMoveBytesHold(
      @ForAll("worlds") Topology world, @ForAll("given") Given given, @ForAll("looks") Look look) {
    hold(ShippedPrograms.NAMES, world, given, look);
  }

  @Property(tries = TRIES)
  @Sampled(every = 5)
  void programsWithARootHold(
      @ForAll("worlds") Topology world, @ForAll("given") Given given, @ForAll("looks") Look look) {
    hold(ShippedPrograms.ROOTED, world, given, look);
  }

  @Property(tries = TRIES)
  @Sampled(every = 5)
  void programsWithCountsHold(
      @ForAll("worlds") Topology world, @ForAll("given") Given given, @ForAll("looks") Look look) {
    hold(ShippedPrograms.COUNTED, world, given, look);
  }

  @Property(tries = TRIES)
  @Sampled(every = 5)
  void programsWithHooksHold(
      @ForAll("worlds") Topology world, @ForAll("given") Given given, @ForAll("looks") Look look) {
    hold(ShippedPrograms.HOOKED, world, given, look);
  }

  @Property(tries = TRIES)
  @Sampled(every = 5)
  void programsThatReduceHold(
      @ForAll("worlds") Topology world,
      @ForAll("elements") Elements elements,
      @ForAll("given") Given given,
      @ForAll("looks") Look look) {
    reduce(ShippedPrograms.REDUCING, world, elements, given, look);
  }

  @Property(tries = TRIES)
  @Sampled(every = 5)
  void programsWithMappedMemoryHoldOnOneHost(
      @ForAll("hosts") Topology world,
      @ForAll("elements") Elements elements,
      @ForAll("given") Given given,
      @ForAll("looks") Look look) {
    hold(ShippedPrograms.ENGINES, world, given, look);
    reduce(ShippedPrograms.MAPPED, world, elements, given, look);
  }

  /** The same draws detect a program without one await, whenever some rank sends. */
  @Property(tries = BROKEN_TRIES)
  @Sampled(every = 5)
  void aMissingAwaitOfDataIsFound(
      @ForAll("worldsOfPeers") Topology world,
      @ForAll("something") Given given,
      @ForAll("looks") Look look) {
    for (String name :
        List.of(
            "push_all_gather",
            "direct_broadcast",
            "all_to_all_v",
            "transposing_all_to_all",
            "direct_reduce_scatter")) {
      fails(name, "await DATA[", world, given, look);
    }
  }

  @Property(tries = BROKEN_TRIES)
  @Sampled(every = 5)
  void aMissingAwaitOfPeersIsFoundOnOneHost(
      @ForAll("hostsOfPeers") Topology world,
      @ForAll("something") Given given,
      @ForAll("looks") Look look) {
    fails("copy_all_gather", "await DATA[", world, given, look);
    fails("pull_all_reduce", "await READY[", world, given, look);
    fails("pull_reduce_scatter", "await READY[", world, given, look);
  }

  private static void hold(List<String> names, Topology world, Given given, Look look) {
    for (String name : names) {
      holds(ShippedPrograms.form(name), world, given, look);
    }
  }

  private static void reduce(
      List<String> names, Topology world, Elements elements, Given given, Look look) {
    Given whole = given.of((long) elements.count() * elements.type().bytes());
    for (String name : names) {
      Form form = ShippedPrograms.form(name);
      boolean steps =
          form.ensures().stream().anyMatch(e -> !(e.grouping() instanceof Grouping.AtOnce));
      // Stepwise sums cannot divide: ReductionTextTest shows that this is rejected.
      ReduceOp op = steps && elements.op() == ReduceOp.AVG ? ReduceOp.SUM : elements.op();
      holds(ReductionEdits.with(form, op, elements.type()), world, whole, look);
    }
  }

  private static void holds(Form form, Topology world, Given given, Look look) {
    assertThat(check(given.places().of(form), world, given, look).violation())
        .as("%s in %s with %s under %s", form.name(), world.domains(), given, look)
        .isEmpty();
  }

  private static void fails(String name, String left, Topology world, Given given, Look look) {
    List<String> lines = ShippedPrograms.text(name).lines().toList();
    List<String> fewer = lines.stream().filter(l -> !l.strip().startsWith(left)).toList();
    assertThat(fewer).as("%s has one '%s'", name, left).hasSize(lines.size() - 1);
    Form broken = FormParser.parse(String.join("\n", fewer));
    assertThat(check(broken, world, given, look).violation())
        .as("%s without '%s' in %s", name, left, world.domains())
        .isPresent();
  }

  /** One execution proves nothing correct, but every draw is a different one. */
  private static Verdict check(Form form, Topology world, Given given, Look look) {
    Program program = Program.bind(form, world.world(), given.whole(form).params(form));
    return new Checker(
            look.strategy(), BUDGET, look.seed(), Checker.strict(look.profile(), LAUNCHES))
        .check(program, world);
  }
}
