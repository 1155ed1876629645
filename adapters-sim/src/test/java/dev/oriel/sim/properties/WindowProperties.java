package dev.oriel.sim.properties;

import static dev.oriel.domain.window.Comparison.EQ;
import static dev.oriel.domain.window.Comparison.GE;
import static dev.oriel.domain.window.Comparison.REACHED;
import static dev.oriel.sim.properties.RandomMembers.HOLDS;
import static dev.oriel.sim.properties.RandomMembers.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Window;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.ranks.MemberCode;
import dev.oriel.sim.ranks.RankArena;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/**
 * Windows from the first call to the last, in random worlds. Every rank puts to every rank, round
 * after round, alternately in two windows of two communicators. Each rank closes them as soon as
 * its own work is done, and new ones reuse the same memory. Slots start shortly before a wrap.
 */
class WindowProperties {
  private static final int WORD = 8;

  /** The mistake of one rank. */
  enum Mistake {
    NONE,
    /** Writes the row of the rank that it sends to. */
    ROW,
    /** Refills a source that may not have been read. */
    SOURCE,
    /** Continues before the others have read the memory that it overwrites. */
    BARRIER,
    /** Reads before it awaits. */
    ORDER,
    /** Compares without regard to the wrap. */
    COMPARISON
  }

  /** A row of {@code world} words, a source, and after it up to two more words. */
  private static WindowSpec spec(String name, int world) {
    long[] sizes = LongStream.range(0, world).map(r -> WORD * (world + 1 + r % 3)).toArray();
    return WindowSpec.named(name)
        .withData(DataSizes.perRank(sizes))
        .withSignals(1)
        .withCounters(1)
        .withBarriers(1);
  }

  private record Round(int number, long begin, Mistake mistake) {
    /** One source for all peers: each put must have read it before the next word is written. */
    private int source(Window w) {
      return WORD * w.world();
    }

    private byte[] payload(Window w, int from, int to) {
      return RandomMembers.bytes(WORD, from, to, number, w.name().length(), w.generation());
    }

    private List<Integer> peers(Window w) {
      return IntStream.range(0, w.world()).filter(p -> p != w.rank()).boxed().toList();
    }

    /** All slots hold their start values before any rank counts on. */
    void seed(Window w) throws TimeoutException {
      for (int peer : peers(w)) {
        w.signal(peer, 0, begin);
      }
      for (int peer : peers(w)) {
        w.await(peer, 0, EQ, begin, LONG);
      }
      w.barrier(0, LONG);
    }

    void send(Window w) throws TimeoutException {
      for (int peer : peers(w)) {
        w.write(source(w), payload(w, w.rank(), peer));
        int row = mistake == Mistake.ROW ? peer : w.rank();
        w.putCounted(peer, (long) WORD * row, w, source(w), WORD, 0);
        w.signal(peer, 0, 1);
        if (mistake != Mistake.SOURCE) {
          w.awaitCounter(peer, 0, EQ, number, LONG);
        }
      }
    }

    void hear(Window w) throws TimeoutException {
      for (int peer : peers(w)) {
        byte[] before = mistake == Mistake.ORDER ? read(w, peer) : new byte[0];
        w.await(peer, 0, mistake == Mistake.COMPARISON ? GE : REACHED, begin + number, LONG);
        byte[] came = mistake == Mistake.ORDER ? before : read(w, peer);
        assertThat(came).isEqualTo(payload(w, peer, w.rank()));
      }
    }

    private byte[] read(Window w, int peer) {
      return w.read((long) WORD * peer, WORD);
    }
  }

  private static MemberCode code(int rounds, long begin, Mistake mistake) {
    return (machine, ranks) -> {
      for (int launch = 0; launch < 2; launch++) {
        try (Communicator one = machine.join(ranks);
            Communicator other = machine.join(ranks);
            Window a = one.window(spec("a", ranks.world()));
            Window b = other.window(spec("bb", ranks.world()))) {
          new Round(0, begin, mistake).seed(a);
          new Round(0, begin, mistake).seed(b);
          for (int number = 1; number <= rounds; number++) {
            Round round = new Round(number, begin, mistake);
            round.send(a);
            round.send(b);
            round.hear(b);
            round.hear(a);
            if (mistake != Mistake.BARRIER) {
              b.arrive(0, Team.all(b.world()), LONG);
              a.barrier(0, LONG);
              b.barrier(0, LONG);
            }
          }
        }
      }
    };
  }

  private static String verdict(
      Topology world, Profile profile, int rounds, long begin, Mistake mistake, long seed) {
    int ranks = world.world();
    // Slots are not reused, so both launches need their own.
    RankArena arena = RankArena.of(ranks, List.of(spec("a", ranks), spec("bb", ranks)));
    RankArena both = new RankArena(arena.bytes(), arena.slots().and(arena.slots()));
    return RandomMembers.verdict(world, both, profile, seed, code(rounds, begin, mistake));
  }

  @Provide
  Arbitrary<Topology> worlds() {
    return RandomMembers.worlds();
  }

  @Provide
  Arbitrary<Profile> profiles() {
    return Arbitraries.of(Judged.WEAK);
  }

  @Provide
  Arbitrary<Long> wraps() {
    return Arbitraries.of(RandomMembers.WRAPS);
  }

  @Property(tries = 30)
  @Sampled(every = 5)
  void everyRankReceivesFromEveryRankInEveryRound(
      @ForAll("worlds") Topology world,
      @ForAll("profiles") Profile profile,
      @ForAll("wraps") long wrap,
      @ForAll @IntRange(max = 3) int before,
      @ForAll @IntRange(min = 1, max = 3) int rounds,
      @ForAll @IntRange(max = 1000) int seed) {
    assertThat(verdict(world, profile, rounds, wrap - before, Mistake.NONE, seed)).isEqualTo(HOLDS);
  }

  @Property(tries = 30)
  @Sampled(every = 5)
  void everyMistakeIsFoundOnItsLinks(
      @ForAll("profiles") Profile profile,
      @ForAll @IntRange(min = 3, max = 4) int world,
      @ForAll Mistake mistake,
      @ForAll boolean link,
      @ForAll @IntRange(max = 1000) int seed) {
    Topology shape = Topology.parse(link ? "1x" + world : world + "x1");
    String verdict = verdict(shape, profile, 2, -1, mistake, seed);
    // Over a mapped link a put has read its source when it returns.
    boolean right = mistake == Mistake.NONE || (mistake == Mistake.SOURCE && link);
    if (right) {
      assertThat(verdict).isEqualTo(HOLDS);
    } else {
      assertThat(verdict).containsPattern("^(race|overwrite|thrown|deadlock|value): ");
    }
  }
}
