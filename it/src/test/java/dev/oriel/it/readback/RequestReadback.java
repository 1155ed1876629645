package dev.oriel.it.readback;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.Lowering;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.ibverbs.post.AddressBook;
import dev.oriel.ibverbs.post.Addressing;
import dev.oriel.ibverbs.post.Carried;
import dev.oriel.ibverbs.post.Launch;
import dev.oriel.ibverbs.post.Links;
import dev.oriel.ibverbs.post.LoadedWords;
import dev.oriel.ibverbs.post.Memory;
import dev.oriel.ibverbs.post.PostedRequests;
import dev.oriel.ibverbs.post.QueueLimits;
import dev.oriel.ibverbs.post.Request;
import dev.oriel.ibverbs.verbs.SendRequests;
import dev.oriel.it.readback.Queued.Asked;
import dev.oriel.ports.queue.Field;
import dev.oriel.ports.queue.RequestKind;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Holds the work requests of a program in a world of one rank a host, as the bytes that {@code
 * ibv_post_send} takes, against its lowered steps: queue by queue, since nothing orders two.
 *
 * <p>Rule <i>reported</i>: a completion is asked for by the last request before a queue is awaited,
 * and by the last of a launch: what is behind it in the queue frees the entries of what is before.
 */
final class RequestReadback {
  private static final int SLOT = 8;
  private static final int LAUNCHES = 2;

  /** One request as bytes, and whose queue it is in. */
  record Sent(int rank, int lane, int peer, SentBytes bytes) {}

  /** What a step asks for. */
  private record Wish(String step, Asked asked, AtomicBoolean reported) {}

  private final Program program;
  private final LoweredForm lowered;
  private final Layout layout;

  RequestReadback(Form form, int world, Map<String, Long> params) {
    this.program = Program.bind(form, world, params);
    this.lowered = Lowering.lower(form, Set.of(PeerKind.RDMA));
    this.layout = new Layout(program, SLOT);
  }

  /** Every request of every rank. */
  List<Sent> sent(Arena arena) {
    List<Sent> sent = new ArrayList<>();
    PostedRequests posted = new PostedRequests(program, lowered, Links.ALL_RDMA);
    for (int rank = 0; rank < program.world(); rank++) {
      Addressing addressing = new Addressing(rank, book(), QueueLimits.WIDEST);
      Carried carried = Carried.NOTHING;
      for (int launch = 0; launch < LAUNCHES; launch++) {
        Launch made = posted.launch(rank, carried, LoadedWords.NONE);
        SendRequests blocks = SendRequests.allocate(arena, Math.max(1, made.requests().size()));
        for (int i = 0; i < made.requests().size(); i++) {
          Request request = made.requests().get(i);
          blocks.put(i, addressing.resolve(request));
          sent.add(
              new Sent(
                  rank,
                  request.queue().lane(),
                  request.queue().peer(),
                  new SentBytes(blocks.block(i))));
        }
        carried = made.after();
      }
    }
    return sent;
  }

  /** Compares them with what the steps ask for: how many there are. */
  int compare(List<Sent> sent) {
    int compared = 0;
    for (int rank = 0; rank < program.world(); rank++) {
      List<RankProgram.LaneInstance> lanes = program.rank(rank).lanes();
      for (int lane = 0; lane < lanes.size(); lane++) {
        Map<Integer, List<Wish>> wishes = wishes(program.rank(rank), lanes.get(lane));
        Set<Integer> peers = new TreeSet<>(wishes.keySet());
        int mine = rank;
        int number = lane;
        sent.stream()
            .filter(s -> s.rank() == mine && s.lane() == number)
            .forEach(s -> peers.add(s.peer()));
        for (int peer : peers) {
          List<SentBytes> queue =
              sent.stream()
                  .filter(s -> s.rank() == mine && s.lane() == number && s.peer() == peer)
                  .map(Sent::bytes)
                  .toList();
          String where =
              "program=%s, world=%d, rank=%d, lane=%s, peer=%d"
                  .formatted(
                      program.form().name(), program.world(), rank, lanes.get(lane).label(), peer);
          compared += compare(where, wishes.getOrDefault(peer, List.of()), queue);
        }
      }
    }
    return compared;
  }

  private int compare(String where, List<Wish> wishes, List<SentBytes> queue) {
    for (int i = 0; i < Math.max(wishes.size(), queue.size()); i++) {
      if (i >= queue.size()) {
        throw new Mismatch(
            "%s, request=%d: step %s asks for it, nobody posts it"
                .formatted(where, i, wishes.get(i).step()));
      }
      if (i >= wishes.size()) {
        throw new Mismatch(
            "%s, request=%d: no step asks for it: opcode=%d"
                .formatted(where, i, queue.get(i).opcode()));
      }
      String differs = differs(wishes.get(i), queue.get(i));
      if (!differs.isEmpty()) {
        throw new Mismatch(
            "%s, request=%d: step %s: %s".formatted(where, i, wishes.get(i).step(), differs));
      }
    }
    return queue.size();
  }

  /** Which field of the bytes is not what the step asks for; empty if all are. */
  private String differs(Wish wish, SentBytes bytes) {
    Asked asked = wish.asked();
    boolean word = asked.kind() == RequestKind.WRITE_WORD;
    int opcode =
        switch (asked.kind()) {
          case WRITE, WRITE_WORD -> SentBytes.WRITE;
          case READ -> SentBytes.READ;
          case ADD -> SentBytes.FETCH_ADD;
          case COMPARE_SWAP -> SentBytes.COMPARE_SWAP;
          case WAIT -> throw new IllegalStateException("no work request waits: " + wish.step());
        };
    Map<String, List<Object>> fields = new TreeMap<>();
    fields.put("opcode", List.of(opcode, bytes.opcode()));
    fields.put("fence", List.of(asked.fenced(), bytes.has(SentBytes.FENCE)));
    fields.put("signaled", List.of(wish.reported().get(), bytes.has(SentBytes.SIGNALED)));
    fields.put("inline", List.of(word, bytes.has(SentBytes.INLINE)));
    fields.put("remote_addr", List.of(asked.field(Field.REMOTE), bytes.remote()));
    fields.put("rkey", List.of(key(asked.field(Field.REMOTE)) + 1, bytes.remoteKey()));
    fields.put("num_sge", List.of(1, bytes.entries()));
    long length = asked.fields().getOrDefault(Field.LENGTH, 8L);
    fields.put("length", List.of((int) length, bytes.bytes()));
    if (word && bytes.has(SentBytes.INLINE)) {
      fields.put("inline word", List.of(asked.field(Field.VALUE), bytes.carried()));
    }
    if (!word) {
      fields.put("addr", List.of(asked.field(Field.LOCAL), bytes.local()));
      fields.put("lkey", List.of(key(asked.field(Field.LOCAL)), bytes.localKey()));
    }
    if (asked.kind() == RequestKind.ADD) {
      fields.put("compare_add", List.of(asked.field(Field.VALUE), bytes.compareAdd()));
    }
    if (asked.kind() == RequestKind.COMPARE_SWAP) {
      fields.put("compare_add", List.of(asked.field(Field.COMPARE), bytes.compareAdd()));
      fields.put("swap", List.of(asked.field(Field.VALUE), bytes.swap()));
    }
    return fields.entrySet().stream()
        .filter(f -> !Objects.equals(f.getValue().getFirst(), f.getValue().getLast()))
        .map(f ->
            "%s: wanted=%s, is=%s"
                .formatted(f.getKey(), f.getValue().getFirst(), f.getValue().getLast()))
        .findFirst()
        .orElse("");
  }

  private Map<Integer, List<Wish>> wishes(RankProgram rank, RankProgram.LaneInstance instance) {
    Map<Integer, List<Wish>> wishes = new TreeMap<>();
    QueueWalk.Asking asking =
        new QueueWalk.Asking() {
          @Override
          public Wanted post(String step, Asked asked, int number) {
            int peer = asked.queue() / 2;
            wishes
                .computeIfAbsent(peer, p -> new ArrayList<>())
                .add(new Wish(step, asked, new AtomicBoolean()));
            return Wanted.nothing(step);
          }

          @Override
          public Wanted await(String step, int queue) {
            report(wishes.getOrDefault(queue / 2, List.of()));
            return Wanted.nothing(step);
          }

          @Override
          public Wanted last(String step, int queue) {
            return Wanted.nothing(step);
          }
        };
    QueueWalk requests = new QueueWalk(asking, Integer.MAX_VALUE, rank.rank(), 0);
    LoweredLane steps = lowered.lane(instance.lane().name());
    dev.oriel.it.readback.Memory memory = new dev.oriel.it.readback.Memory(layout);
    StepWalk walk =
        new StepWalk(
            rank,
            instance,
            steps,
            layout,
            memory,
            memory,
            peer -> peer != rank.rank(),
            requests,
            new BitSet());
    for (int launch = 0; launch < LAUNCHES; launch++) {
      while (!walk.ended()) {
        walk.interval();
      }
      wishes.values().forEach(RequestReadback::report);
      walk = walk.next();
    }
    return wishes;
  }

  private static void report(List<Wish> queue) {
    if (!queue.isEmpty()) {
      queue.getLast().reported().set(true);
    }
  }

  /** The owner's key of what is there; peers present the next number. */
  private static int key(long address) {
    return (int) (address >>> 28) * 2;
  }

  private AddressBook book() {
    return new AddressBook() {
      @Override
      public Memory buffer(int rank, String buffer) {
        return memory(layout.buffer(rank, buffer), program.rank(rank).bytes(buffer));
      }

      @Override
      public Memory slots(int rank) {
        return memory(layout.other(rank, Layout.Other.SLOTS), 1 << 20);
      }

      @Override
      public Memory sink(int rank) {
        return memory(layout.other(rank, Layout.Other.SINK), SLOT);
      }
    };
  }

  private static Memory memory(long address, long bytes) {
    return new Memory(address, bytes, key(address), key(address) + 1);
  }
}
