package dev.oriel.ibverbs.run;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.fabric.WireMessage;
import dev.oriel.ibverbs.post.AddressTable;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import dev.oriel.ibverbs.verbs.QueueEnd;
import dev.oriel.ibverbs.verbs.RetryLimits;
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
 * All requests that {@link VerbsExecutor} passes to {@code ibv_post_send}, in order, each lane on a
 * queue of its own.
 *
 * @param places the description of every rank's memory
 */
public record Posted(List<Sent> sent, AddressTable places) {
  /**
   * Long enough that no queue is half full, and a completion is reported only if a lane waits for
   * it.
   */
  private static final int DEPTH = 512;

  private static final Duration LONG = Duration.ofSeconds(60);

  /**
   * One work request.
   *
   * @param block a copy of its bytes
   * @param at the address of the original, for its internal pointers
   */
  public record Sent(int rank, int lane, int peer, MemorySegment block, long at) {}

  /** The owner of a queue pair. */
  private record End(int rank, int lane, int peer) {}

  /** One request as the device reads it. */
  private record Taken(int pair, MemorySegment block, long at) {}

  /** All ranks' requests in so many launches; lanes with failed checks continue as they should. */
  public static Posted of(Program program, int launches) {
    FakeVerbs verbs = new FakeVerbs();
    // An exception must not pass through the library: the owners are looked up afterwards.
    List<Taken> taken = new ArrayList<>();
    verbs.watch((block, pair) -> {
      MemorySegment copy = MemorySegment.ofArray(block.toArray(ValueLayout.JAVA_BYTE));
      taken.add(new Taken(pair, copy, block.address()));
    });
    int lanes = program.rank(0).lanes().size();
    VerbsSettings settings = new VerbsSettings("", 1, -1, DEPTH, lanes, RetryLimits.USUAL);
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

  /** All ranks, and their messages to each other. */
  private static final class Overheard implements ProcessGroup {
    private List<PreparePayload> payloads = List.of();

    /**
     * The owners by the numbers of queue pairs; a rank has as many to each peer as there are lanes.
     */
    Map<Integer, End> ends() {
      Map<Integer, End> ends = new HashMap<>();
      for (int rank = 0; rank < payloads.size(); rank++) {
        for (int peer = 0; peer < payloads.size(); peer++) {
          if (payloads.get(rank).offers().get(peer).length > 0) {
            List<QueueEnd> mine = WireMessage.Offer.parse(payloads.get(rank).offer(peer)).ends();
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
          IntStream.range(0, payloads.size())
              .mapToObj(rank -> {
                int key = payloads.get(rank).export().keys().getFirst();
                return RankMemoryLayout.of(program.rank(rank))
                    .at(payloads.get(rank).export().address(), verbs.localKey(key), key);
              })
              .toList());
    }

    @Override
    public List<byte[]> exchange(String step, List<byte[]> mine) {
      payloads = mine.stream().map(PreparePayload::parse).toList();
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
