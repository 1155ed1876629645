package dev.oriel.sim.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.group.Group;
import dev.oriel.domain.group.GroupCall;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import dev.oriel.sim.testing.SizeArbitraries;
import dev.oriel.sim.testing.WorldArbitraries;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Groups hold in every order in which ranks list their calls. */
class GroupProperties {
  private static final Budget BUDGET = new Budget(3, 200_000, 2_000_000, 50_000_000);

  /** Ranks are taken modulo the size of the world. */
  record Drawn(int from, int to, long bytes) {}

  @Provide
  Arbitrary<Topology> worlds() {
    return WorldArbitraries.topologies(4);
  }

  @Provide
  Arbitrary<List<Drawn>> transfers() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 3),
            Arbitraries.integers().between(0, 3),
            SizeArbitraries.bytes(70))
        .as(Drawn::new)
        .list()
        .ofMaxSize(7);
  }

  @Property(tries = 60)
  void everyGroupHolds(
      @ForAll("worlds") Topology world,
      @ForAll("transfers") List<Drawn> transfers,
      @ForAll("profiles") Profile profile,
      @ForAll Random random) {
    Form form = Group.form(shuffled(world.world(), transfers, random));
    for (Strategy strategy : List.of(Strategy.RANDOM, Strategy.PCT)) {
      assertThat(check(form, world, profile, strategy, random.nextInt()).violation())
          .as("%s in %s", FormPrinter.print(form), world.domains())
          .isEmpty();
    }
  }

  @Provide
  Arbitrary<Profile> profiles() {
    return Arbitraries.of(Judged.WEAK);
  }

  /** Each rank's calls in an order of its own; those of one pair and direction keep their order. */
  private static List<List<GroupCall>> shuffled(int world, List<Drawn> transfers, Random random) {
    List<List<GroupCall>> byRank = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      List<List<GroupCall>> queues = new ArrayList<>();
      for (int peer = 0; peer < world; peer++) {
        List<GroupCall> sends = new ArrayList<>();
        List<GroupCall> receives = new ArrayList<>();
        for (Drawn t : transfers) {
          if (t.from % world == rank && t.to % world == peer) {
            sends.add(new GroupCall.Send(peer, t.bytes));
          }
          if (t.to % world == rank && t.from % world == peer) {
            receives.add(new GroupCall.Receive(peer, t.bytes));
          }
        }
        queues.add(sends);
        queues.add(receives);
      }
      List<GroupCall> calls = new ArrayList<>();
      queues.removeIf(List::isEmpty);
      while (!queues.isEmpty()) {
        calls.add(queues.get(random.nextInt(queues.size())).removeFirst());
        queues.removeIf(List::isEmpty);
      }
      byRank.add(calls);
    }
    return byRank;
  }

  private static Verdict check(
      Form form, Topology world, Profile profile, Strategy strategy, long seed) {
    return new Checker(strategy, BUDGET, seed, Checker.strict(profile, 3))
        .check(Program.bind(form, world.world(), Map.of()), world);
  }
}
