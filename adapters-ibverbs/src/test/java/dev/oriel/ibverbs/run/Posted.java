package dev.oriel.ibverbs.run;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.post.AddressTable;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import dev.oriel.ibverbs.verbs.QueueEnd;
import dev.oriel.ibverbs.verbs.Retry;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.Outcome;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * What {@link VerbsExecutor} hands to {@code ibv_post_send}, each lane to a queue of its own: all
 * of it, in order.
 *
 * @param places where it found every rank's memory
 */
public record Posted(List<Sent> sent, AddressTable places) {
  /** So long that no queue is half full, and none is reported but where somebody waits for it. */
  private static final int DEPTH = 512;

  private static final Duration LONG = Duration.ofSeconds(60);

  /**
   * One work request.
   *
   * @param block a copy of its bytes
   * @param at where these stood, for what points to them
   */
  public record Sent(int rank, int lane, int peer, MemorySegment block, long at) {}

  /** Whom a queue pair belongs to. */
  private record End(int rank, int lane, int peer) {}

  /** One request as the device sees it. */
  private record Taken(int pair, MemorySegment block, long at) {}

  /** What every rank does in so many launches; lanes whose checks fail go on as they should. */
  public static Posted of(Program program, int launches) {
    FakeVerbs verbs = new FakeVerbs();
    // Nothing may be thrown through the library, so whose they are is found out behind it.
    List<Taken> taken = new ArrayList<>();
    verbs.watch((block, pair) -> {
      MemorySegment copy = MemorySegment.ofArray(block.toArray(ValueLayout.JAVA_BYTE));
      taken.add(new Taken(pair, copy, block.address()));
    });
    int lanes = program.rank(0).lanes().size();
    VerbsSettings settings = new VerbsSettings("", 1, -1, DEPTH, lanes, Retry.USUAL);
    Overheard ranks = new Overheard();
    try (VerbsExecutor executor =
            new VerbsExecutor(
                List.of(verbs.open()), ranks, settings, FabricListener.NONE, System::nanoTime);
        Executor.Instance instance = executor.prepare(program, Topology.grid(program.world(), 1))) {
      for (int launch = 1; launch <= launches; launch++) {
        List<Outcome> outcomes = instance.launch(LONG);
        if (!outcomes.stream()
            .allMatch(o -> o instanceof Outcome.Done || o instanceof Outcome.Failed)) {
          throw new IllegalStateException("launch=" + launch + ", outcomes=" + outcomes);
        }
      }
    }
    Map<Integer, End> ends = ranks.ends();
    return new Posted(
        taken.stream()
            .map(t -> {
              End end = Objects.requireNonNull(ends.get(t.pair()), "a pair of nobody's");
              return new Sent(end.rank(), end.lane(), end.peer(), t.block(), t.at());
            })
            .toList(),
        ranks.places(program, verbs));
  }

  /** All ranks, and what they told each other. */
  private static final class Overheard implements Company {
    private List<Greeting> told = List.of();

    /** By the numbers of queue pairs; a rank has as many to each peer as there are lanes. */
    Map<Integer, End> ends() {
      Map<Integer, End> ends = new HashMap<>();
      for (int rank = 0; rank < told.size(); rank++) {
        for (int peer = 0; peer < told.size(); peer++) {
          if (told.get(rank).offers().get(peer).length > 0) {
            List<QueueEnd> mine = told.get(rank).offer(peer).ends();
            for (int lane = 0; lane < mine.size(); lane++) {
              ends.put(mine.get(lane).pair(), new End(rank, lane, peer));
            }
          }
        }
      }
      return ends;
    }

    AddressTable places(Program program, FakeVerbs verbs) {
      return new AddressTable(
          IntStream.range(0, told.size())
              .mapToObj(rank -> {
                int key = told.get(rank).export().keys().getFirst();
                return Places.of(program.rank(rank))
                    .at(told.get(rank).export().address(), verbs.localKey(key), key);
              })
              .toList());
    }

    @Override
    public List<byte[]> exchange(String step, List<byte[]> mine) {
      told = mine.stream().map(Greeting::parse).toList();
      return ALONE.exchange(step, mine);
    }

    @Override
    public List<Integer> local(int world) {
      return ALONE.local(world);
    }

    @Override
    public <T> T together(String step, Supplier<T> part) {
      return ALONE.together(step, part);
    }

    @Override
    public void meet(String step) {
      ALONE.meet(step);
    }

    @Override
    public void checkWorld(int world) {
      ALONE.checkWorld(world);
    }
  }
}
