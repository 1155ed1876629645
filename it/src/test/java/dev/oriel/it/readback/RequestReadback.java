package dev.oriel.it.readback;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.ibverbs.fabric.VerbsRemote;
import dev.oriel.ibverbs.post.AddressTable;
import dev.oriel.ibverbs.post.RegisteredMemory;
import dev.oriel.ibverbs.run.Posted;
import dev.oriel.ibverbs.run.Posted.Sent;
import dev.oriel.it.readback.Queued.Asked;
import dev.oriel.ports.queue.RequestField;
import dev.oriel.ports.queue.RequestKind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Compares the work requests of a program in a world of one rank per host, as the bytes that {@link
 * dev.oriel.ibverbs.run.VerbsExecutor} passes to {@code ibv_post_send}, with its lowered steps.
 * Compares queue by queue, since queues are unordered.
 *
 * <p>Rule <i>reported</i>: where a queue is awaited, and at the end of a launch, a request without
 * bytes asks for the completion of all earlier requests, unless that was done. Rule <i>ended</i>: a
 * launch ends after all its requests, so no answer is pending when the next begins.
 */
final class RequestReadback {
  private static final int SLOT = 8;
  private static final int LAUNCHES = 2;

  /**
   * The request of a step; empty if the step only waits, which needs a report of all earlier
   * requests.
   */
  private record Wish(String step, Optional<Asked> asked) {}

  private final Program program;
  private final LoweredForm lowered;
  private final Layout layout;
  private final Posted posted;

  /** The executor's memory for each object of the steps. */
  private final NavigableMap<Long, RegisteredMemory> things = new TreeMap<>();

  RequestReadback(Form form, int world, Map<String, Long> params) {
    this.program = Program.bind(form, world, params);
    this.lowered = FormLowering.lower(form, Set.of(PeerKind.RDMA));
    this.layout = new Layout(program, SLOT);
    this.posted = Posted.of(program, LAUNCHES);
    AddressTable places = posted.places();
    for (int rank = 0; rank < program.world(); rank++) {
      for (Buffer buffer : form.buffers()) {
        things.put(layout.buffer(rank, buffer.name()), places.buffer(rank, buffer.name()));
      }
      things.put(layout.other(rank, Layout.Other.SLOTS), places.slots(rank));
      things.put(layout.other(rank, Layout.Other.SINK), places.sink(rank));
    }
  }

  /** Every request of every rank. */
  List<Sent> sent() {
    return posted.sent();
  }

  /** Compares them with the requests of the steps, and returns their number. */
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
                  .map(SentBytes::of)
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

  /** The fields of the bytes that differ from the step; empty if none does. */
  private String differs(Wish wish, SentBytes bytes) {
    Map<String, List<Object>> fields = new TreeMap<>();
    fields.put("next", List.of(0L, bytes.next()));
    fields.put("signaled", List.of(wish.asked().isEmpty(), bytes.has(SentBytes.SIGNALED)));
    wish.asked().ifPresentOrElse(asked -> asked(asked, bytes, fields), () -> report(bytes, fields));
    return fields.entrySet().stream()
        .filter(f -> !Objects.equals(f.getValue().getFirst(), f.getValue().getLast()))
        .map(f ->
            "%s: wanted=%s, is=%s"
                .formatted(f.getKey(), f.getValue().getFirst(), f.getValue().getLast()))
        .findFirst()
        .orElse("");
  }

  private static void report(SentBytes bytes, Map<String, List<Object>> fields) {
    fields.put("opcode", List.of(SentBytes.WRITE, bytes.opcode()));
    fields.put("fence", List.of(false, bytes.has(SentBytes.FENCE)));
    fields.put("inline", List.of(false, bytes.has(SentBytes.INLINE)));
    fields.put("remote_addr", List.of(0L, bytes.remote()));
    fields.put("rkey", List.of(0, bytes.remoteKey()));
    fields.put("num_sge", List.of(0, bytes.entries()));
  }

  private void asked(Asked asked, SentBytes bytes, Map<String, List<Object>> fields) {
    boolean word = asked.kind() == RequestKind.WRITE_WORD;
    int opcode =
        switch (asked.kind()) {
          case WRITE, WRITE_WORD -> SentBytes.WRITE;
          case READ -> SentBytes.READ;
          case ADD -> SentBytes.FETCH_ADD;
          case COMPARE_SWAP -> SentBytes.COMPARE_SWAP;
          case WAIT -> throw new IllegalStateException("no work request waits: " + asked);
        };
    long remote = asked.field(RequestField.REMOTE);
    fields.put("opcode", List.of(opcode, bytes.opcode()));
    fields.put("fence", List.of(asked.fenced(), bytes.has(SentBytes.FENCE)));
    fields.put("inline", List.of(word, bytes.has(SentBytes.INLINE)));
    fields.put("remote_addr", List.of(place(remote), bytes.remote()));
    fields.put("rkey", List.of(memory(remote).remoteKey(), bytes.remoteKey()));
    fields.put("num_sge", List.of(1, bytes.entries()));
    long length = asked.fields().getOrDefault(RequestField.LENGTH, 8L);
    fields.put("length", List.of((int) length, bytes.bytes()));
    if (word && bytes.has(SentBytes.INLINE)) {
      fields.put("inline word", List.of(asked.field(RequestField.VALUE), bytes.carried()));
    }
    if (!word) {
      long local = asked.field(RequestField.LOCAL);
      fields.put("addr", List.of(place(local), bytes.local()));
      fields.put("lkey", List.of(memory(local).localKey(), bytes.localKey()));
    }
    if (asked.kind() == RequestKind.ADD) {
      fields.put("compare_add", List.of(asked.field(RequestField.VALUE), bytes.compareAdd()));
    }
    if (asked.kind() == RequestKind.COMPARE_SWAP) {
      fields.put("compare_add", List.of(asked.field(RequestField.COMPARE), bytes.compareAdd()));
      fields.put("swap", List.of(asked.field(RequestField.VALUE), bytes.swap()));
    }
  }

  private RegisteredMemory memory(long address) {
    return thing(address).getValue();
  }

  /** The executor's address for that address of the steps. */
  private long place(long address) {
    return memory(address).address() + address - thing(address).getKey();
  }

  private Map.Entry<Long, RegisteredMemory> thing(long address) {
    return Objects.requireNonNull(things.floorEntry(address), "nothing is there");
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
                .add(new Wish(step, Optional.of(asked)));
            return Wanted.nothing(step);
          }

          @Override
          public Wanted await(String step, int queue) {
            List<Wish> before = wishes.getOrDefault(queue / 2, List.of());
            if (!before.isEmpty() && before.getLast().asked().isPresent()) {
              before.add(new Wish(step, Optional.empty()));
            }
            return Wanted.nothing(step);
          }

          @Override
          public Wanted last(String step, int queue) {
            return Wanted.nothing(step);
          }
        };
    QueueWalk requests = new QueueWalk(asking, VerbsRemote.PIECE, rank.rank(), 0);
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
      wishes.keySet().forEach(peer -> requests.await("end of the launch", peer));
      walk = walk.next();
    }
    return wishes;
  }
}
