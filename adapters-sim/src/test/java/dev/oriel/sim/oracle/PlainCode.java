package dev.oriel.sim.oracle;

import dev.oriel.domain.binding.BoundPostCondition;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.lowering.MicroOperation.Request.OneSided;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.program.Space;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.oracle.PlainState.Message;
import dev.oriel.sim.oracle.PlainState.Queue;
import dev.oriel.sim.oracle.PlainState.Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The lowered steps of a program, as {@link PlainSearch} reads them. Memory consists of whole words
 * of 8 bytes. Buffers have at most {@link #WIDTH} words, signals as many slots, and lanes two
 * queues per peer.
 */
@SuppressWarnings({"EnumOrdinal", "IntLongMath", "NonCanonicalType", "NullAway"})
final class PlainCode {
  static final int BEFORE = -1;
  static final int THROUGH = -2;
  private static final int WIDTH = 4;
  private static final int CONTEXTS = 2;
  static final int SYS = Scope.SYS.ordinal();

  /** The levels that distinguish other lanes: in one cluster, in one GPU, anywhere. */
  static final int LEVELS = SYS;

  final Profile profile;
  final int lanes;
  final int[] rank;

  /** By lane: the first lane of its cluster. */
  private final int[] cluster;

  final boolean[] threads;

  /** By lane: whether it is a thread block, and so needs room on its GPU. */
  final boolean[] blocks;

  final boolean callers;
  final int words;
  final int queues;
  final int[] queueLane;
  final int[] queuePeer;
  private final Program program;
  private final Topology topology;
  private final List<List<MicroOperation>> steps = new ArrayList<>();
  private final List<Map<String, Integer>> names = new ArrayList<>();
  private final List<Map<String, Long>> indices = new ArrayList<>();
  private final int buffers;

  /** The buffers with words that lanes synchronise on. */
  private final Set<String> polled = new HashSet<>();

  PlainCode(Program program, Topology topology, LoweredForm lowered, Profile profile) {
    this.program = program;
    this.topology = topology;
    this.profile = profile;
    int world = program.world();
    buffers = program.form().buffers().size();
    callers = program.form().buffers().stream().anyMatch(b -> b.space().callers());
    List<Integer> ranks = new ArrayList<>();
    List<Boolean> grouped = new ArrayList<>();
    List<Boolean> placed = new ArrayList<>();
    List<Integer> clusters = new ArrayList<>();
    for (int r = 0; r < world; r++) {
      var instances = program.rank(r).lanes();
      for (var instance : instances) {
        var family = instances.stream().filter(i -> i.lane().equals(instance.lane())).toList();
        int size = instance.lane().engine() instanceof LaneFamily.Engine.Sm sm ? sm.cluster() : 1;
        clusters.add(clusters.size() - family.indexOf(instance) % size);
        ranks.add(r);
        indices.add(instance.indices());
        placed.add(instance.lane().engine() instanceof LaneFamily.Engine.Sm);
        grouped.add(
            instance.lane().engine() instanceof LaneFamily.Engine.Sm sm && sm.threads() > 1);
        var lane = lowered.lane(instance.lane().name());
        steps.add(lane.steps().stream().map(step -> step.micro()).toList());
        Map<String, Integer> registers = new LinkedHashMap<>();
        registers.put("epoch", 0);
        lane.persistent().forEach(p -> registers.putIfAbsent(p.name(), registers.size()));
        steps.getLast().forEach(m -> define(m, registers));
        steps.getLast().forEach(m -> polled(m).ifPresent(word -> polled.add(word.buffer())));
        names.add(registers);
      }
    }
    lanes = ranks.size();
    rank = ranks.stream().mapToInt(r -> r).toArray();
    cluster = clusters.stream().mapToInt(c -> c).toArray();
    threads = new boolean[lanes];
    blocks = new boolean[lanes];
    Arrays.setAll(rank, ranks::get);
    for (int l = 0; l < lanes; l++) {
      threads[l] = grouped.get(l);
      blocks[l] = placed.get(l);
    }
    words = world * buffers * WIDTH + world * program.form().signals().size() * world * WIDTH;
    queues = topology.kinds().contains(PeerKind.RDMA) ? lanes * world * CONTEXTS : 0;
    queueLane = new int[queues];
    queuePeer = new int[queues];
    for (int q = 0; q < queues; q++) {
      queueLane[q] = q / (world * CONTEXTS);
      queuePeer[q] = q / CONTEXTS % world;
    }
  }

  /** Whether the lane has not begun and needs room to do so. */
  boolean waits(PlainState s, int lane) {
    return blocks[lane] && profile.resident() > 0 && !s.begun.get(lane);
  }

  /**
   * Whether the lane's cluster may begin now: the rank's resident blocks leave room for all its
   * lanes and, unless lanes begin in any order, each earlier block of the rank has begun. The first
   * lane of a cluster begins for all.
   */
  boolean begins(PlainState s, int lane) {
    int room = profile.resident();
    int size = 0;
    for (int l = 0; l < lanes; l++) {
      if (rank[l] != rank[lane] || !blocks[l]) {
        continue;
      }
      size += cluster[l] == lane ? 1 : 0;
      room -= s.begun.get(l) && s.pc[l] != THROUGH ? 1 : 0;
      if (l < lane && !s.begun.get(l) && !profile.anyStart()) {
        return false;
      }
    }
    return cluster[lane] == lane && size <= room;
  }

  void begin(PlainState s, int lane) {
    for (int l = 0; l < lanes; l++) {
      if (cluster[l] == lane) {
        s.begun.set(l);
      }
    }
  }

  static long[] nothing() {
    return new long[LEVELS];
  }

  /** The interface that a queue goes through. */
  int interfaceOf(int queue) {
    int lane = queueLane[queue];
    int first = lane;
    while (first > 0 && rank[first - 1] == rank[lane]) {
      first--;
    }
    return (queue % CONTEXTS + lane - first) % profile.interfaces();
  }

  /** The interface that wrote a message; -1 if a thread did. */
  int through(int agent) {
    return agent >= lanes
        ? interfaceOf((agent - lanes) / 100)
        : agent <= PlainStage.FILLS ? interfaceOf(PlainStage.FILLS - agent) : -1;
  }

  /** Whether relaxed requests may be placed before and after it, but no strict one. */
  boolean relaxed(Request r) {
    return relaxed(r.post());
  }

  boolean relaxed(MicroOperation.Post post) {
    return profile.relaxedOrdering()
        && post.request() instanceof MicroOperation.Request.Write
        && !post.unordered();
  }

  /** The narrowest scope that includes both lanes. */
  Scope apart(int lane, int other) {
    if (lane == other) {
      return Scope.CTA;
    }
    if (rank[lane] != rank[other]) {
      return Scope.SYS;
    }
    if (!blocks[lane] || !blocks[other]) {
      // A thread of the host is no thread of the GPU.
      return Scope.SYS;
    }
    return cluster[lane] == cluster[other] ? Scope.CLUSTER : Scope.GPU;
  }

  private static void define(MicroOperation m, Map<String, Integer> registers) {
    String name =
        switch (m) {
          case MicroOperation.Set s -> s.register();
          case MicroOperation.LoadWord l -> l.register();
          case MicroOperation.ReadSlot r -> r.register();
          case MicroOperation.Rmw r -> r.register();
          default -> "";
        };
    if (!name.isEmpty()) {
      registers.putIfAbsent(name, registers.size());
    }
  }

  PlainState first() {
    PlainState s = new PlainState();
    s.pc = new int[lanes];
    Arrays.fill(s.pc, callers ? BEFORE : 0);
    s.registers = new long[16 * lanes];
    for (int l = 0; l < lanes; l++) {
      s.registers[16 * l] = 1;
    }
    s.memory = new long[program.world() * buffers * WIDTH];
    s.words = new Message[words][];
    Arrays.fill(s.words, new Message[] {new Message(0, -1, -1, SYS, nothing())});
    s.views = new int[lanes * words];
    s.leader = new long[lanes];
    s.worker = new long[lanes];
    s.unordered = new long[lanes];
    s.unit = new long[lanes];
    s.copied = new long[lanes];
    s.own = new long[lanes];
    s.fenced = new long[LEVELS * lanes];
    s.pending = new long[LEVELS * lanes];
    s.taken = new long[LEVELS * lanes * words];
    s.updates = new ArrayList<>(java.util.Collections.nCopies(lanes, List.of()));
    s.queues = new Queue[queues];
    Arrays.fill(s.queues, new Queue(new Request[0], 0, 0, 0, 0, 0, 0, 0, 0));
    return s;
  }

  MicroOperation step(PlainState s, int lane) {
    return steps.get(lane).get(s.pc[lane]);
  }

  long value(PlainState s, int lane, Expr expr) {
    return switch (expr) {
      case Expr.Const(long v) -> v;
      case Expr.Name(String name) -> {
        Integer register = names.get(lane).get(name);
        Long index = indices.get(lane).get(name);
        yield register != null
            ? s.registers[16 * lane + register]
            : index != null ? index : program.rank(rank[lane]).known(name);
      }
      case Expr.Binary b -> b.operator().apply(value(s, lane, b.left()), value(s, lane, b.right()));
      case Expr.NonZero32 n -> throw new AssertionError(n);
    };
  }

  boolean set(PlainState s, int lane, String register, long value) {
    if (!register.isEmpty()) {
      s.registers[16 * lane + names.get(lane).get(register)] = value;
    }
    return true;
  }

  /** The number of a lane's registers, which are numbered as in the machine. */
  int registers(int lane) {
    return names.get(lane).size();
  }

  /** Takes a step that no other agent can notice; false if the step is none. */
  boolean quiet(PlainState s, int lane, MicroOperation micro) {
    int next = s.pc[lane] + 1;
    switch (micro) {
      case MicroOperation.Label l -> {}
      case MicroOperation.Jump(int label) -> next = position(lane, label);
      case MicroOperation.Set(String register, Expr value) ->
          set(s, lane, register, value(s, lane, value));
      case MicroOperation.Unless(Cond condition, int label) -> {
        boolean holds =
            condition.terms().stream()
                .allMatch(
                    t -> t.comparison().test(value(s, lane, t.left()), value(s, lane, t.right())));
        next = holds ? next : position(lane, label);
      }
      case MicroOperation.UnlessKind(Expr peer, PeerKind kind, int label) -> {
        int to = (int) value(s, lane, peer);
        boolean is = to != rank[lane] && topology.kind(rank[lane], to) == kind;
        next = is ? next : position(lane, label);
      }
      default -> {
        return false;
      }
    }
    s.pc[lane] = next;
    return true;
  }

  private int position(int lane, int label) {
    return steps.get(lane).indexOf(new MicroOperation.Label(label));
  }

  private int[] ranks(PlainState s, int lane, Peers peers) {
    int world = program.world();
    return switch (peers) {
      case Peers.Self() -> new int[] {rank[lane]};
      case Peers.One(Expr one) -> new int[] {(int) value(s, lane, one)};
      case Peers.All() -> java.util.stream.IntStream.range(0, world).toArray();
      case Peers.Others() ->
          java.util.stream.IntStream.range(0, world).filter(r -> r != rank[lane]).toArray();
    };
  }

  int place(PlainState s, int lane, Region region) {
    int[] ranks = ranks(s, lane, region.at());
    return place(ranks[0], region.buffer(), value(s, lane, region.offset()));
  }

  private int place(int owner, String buffer, long offset) {
    return (owner * buffers + program.form().bufferIndex(buffer)) * WIDTH + (int) offset / 8;
  }

  int owner(int place) {
    return place / WIDTH / buffers;
  }

  /** The memory space of the word's buffer. */
  Space space(int place) {
    return program.form().buffers().get(place / WIDTH % buffers).space();
  }

  /** The slots of own memory that an await or a read polls, or the slot that a signal writes. */
  int[] slots(PlainState s, int lane, Slot slot) {
    int[] ranks = ranks(s, lane, slot.at());
    boolean writes = step(s, lane) instanceof MicroOperation.WriteSlot;
    int[] found = new int[ranks.length];
    for (int i = 0; i < ranks.length; i++) {
      int owner = writes ? ranks[i] : rank[lane];
      int source = writes ? rank[lane] : ranks[i];
      found[i] = slot(owner, source, slot, value(s, lane, slot.index()));
    }
    return found;
  }

  private int slot(int owner, int source, Slot slot, long index) {
    int world = program.world();
    int row = owner * program.form().signals().size() + program.form().signalIndex(slot.signal());
    return world * buffers * WIDTH + (row * world + source) * WIDTH + (int) index;
  }

  int queue(PlainState s, int lane, Expr peer, Expr context) {
    int to = (int) value(s, lane, peer);
    return (lane * program.world() + to) * CONTEXTS + (int) value(s, lane, context);
  }

  Request request(PlainState s, int lane, MicroOperation.Post p, long knows, int agent) {
    int me = rank[lane];
    int peer = (int) value(s, lane, p.peer());
    return switch (p.request()) {
      case MicroOperation.Request.Write(var local, var remote, var bytes) ->
          new Request(
              p, 0, knows, agent, at(s, lane, me, local), at(s, lane, peer, remote), -1, 0, 0, 0);
      case MicroOperation.Request.Read(var local, var remote, var bytes) ->
          new Request(
              p, 0, knows, agent, at(s, lane, me, local), at(s, lane, peer, remote), -1, 0, 0, 0);
      case MicroOperation.Request.WriteSlot(var slot, var value, var order, var scope) ->
          word(s, lane, p, knows, agent, slot(peer, me, slot, value(s, lane, slot.index())), value);
      case MicroOperation.Request.AddSlot(var slot, var value, var order, var scope) ->
          word(s, lane, p, knows, agent, slot(peer, me, slot, value(s, lane, slot.index())), value);
      case OneSided.WriteAndSignal w -> {
        int slot = slot(peer, me, w.slot(), value(s, lane, w.slot().index()));
        yield new Request(
            p,
            0,
            knows,
            agent,
            at(s, lane, me, w.local()),
            at(s, lane, peer, w.remote()),
            slot,
            value(s, lane, w.value()),
            0,
            0);
      }
      case OneSided.ChangeWord c ->
          new Request(
              p,
              0,
              knows,
              agent,
              c.result().map(r -> at(s, lane, me, r)).orElse(-1),
              -1,
              at(s, lane, peer, c.word()),
              value(s, lane, c.operand()),
              value(s, lane, c.compare()),
              0);
      case OneSided.Count(var word) ->
          new Request(p, 0, knows, agent + 50, -1, -1, at(s, lane, me, word), 1, 0, 0);
      case OneSided.Lock(var word) ->
          new Request(p, 0, knows, agent, -1, -1, at(s, lane, peer, word), 1, 0, 0);
      default -> new Request(p, 0, knows, agent, -1, -1, -1, 0, 0, 0);
    };
  }

  /** The words that a request writes; the drawn texts name one or two. */
  int words(Request r) {
    return r.post().request() instanceof MicroOperation.Request.Write(var local, var remote, var n)
            && n instanceof Expr.Const(long bytes)
        ? (int) bytes / 8
        : 1;
  }

  /** Whether some lane awaits, loads or changes words of the buffer of that place. */
  boolean polled(int place) {
    return polled.contains(program.form().buffers().get(place / WIDTH % buffers).name());
  }

  /** The word that lanes synchronise on, if the step has one. */
  private static Optional<Region> polled(MicroOperation m) {
    return switch (m) {
      case MicroOperation.PollWord p -> Optional.of(p.word());
      case MicroOperation.Rmw r -> Optional.of(r.word());
      case MicroOperation.Lock l -> Optional.of(l.word());
      case MicroOperation.Post p -> polled(p.request());
      default -> Optional.empty();
    };
  }

  private static Optional<Region> polled(MicroOperation.Request r) {
    return switch (r) {
      case OneSided.ChangeWord c -> Optional.of(c.word());
      case OneSided.Lock l -> Optional.of(l.word());
      case OneSided.Count c -> Optional.of(c.word());
      default -> Optional.empty();
    };
  }

  private Request word(
      PlainState s, int lane, MicroOperation.Post p, long knows, int agent, int word, Expr value) {
    return new Request(p, 0, knows, agent, -1, -1, word, value(s, lane, value), 0, 0);
  }

  private int at(PlainState s, int lane, int owner, Region region) {
    return place(owner, region.buffer(), value(s, lane, region.offset()));
  }

  /** The lane that an agent of a message acts for. */
  int laneOf(int agent) {
    return agent < 0 ? -2 - agent : agent < lanes ? agent : queueLane[(agent - lanes) / 100];
  }

  /** The caller's initial value of an input, which identifies the place. */
  long input(int place) {
    return 1_000_000 + place;
  }

  /** Whether the rank's memory satisfies the form's post-conditions. */
  boolean holds(PlainState s, int rank) {
    return claims(rank).stream().allMatch(c -> holds(s, rank, c));
  }

  private List<BoundPostCondition> claims(int rank) {
    return program.rank(rank).claims(BoundPostCondition.InitialContents.UNKNOWN);
  }

  private boolean holds(PlainState s, int rank, BoundPostCondition claim) {
    for (BoundPostCondition.FinalWord w : claim.when().stream().toList()) {
      int place = place(rank, w.buffer(), w.offset());
      if (space(place).taken() && s.memory[place] == PlainCallers.POISON) {
        return false;
      }
      if (!w.comparison().test(s.memory[place], w.value())) {
        return true;
      }
    }
    return s.memory[place(rank, claim.actual(), claim.actualOffset())]
        == input(start(claim.sources().getFirst()));
  }

  /** The words that the rank's caller reads for conditions, beside its outputs. */
  List<Integer> conditions(int rank) {
    return claims(rank).stream()
        .flatMap(c -> c.when().stream())
        .map(w -> place(rank, w.buffer(), w.offset()))
        .filter(place -> !space(place).taken())
        .toList();
  }

  private int start(BoundPostCondition.Source source) {
    return place(source.rank(), source.buffer(), source.offset());
  }

  /** Registers and memory at the end. */
  String outcome(PlainState s) {
    StringBuilder text = new StringBuilder();
    for (int l = 0; l < lanes; l++) {
      for (int r = 0; r < registers(l); r++) {
        text.append(s.registers[16 * l + r]).append(' ');
      }
    }
    for (int place = 0; !callers && place < s.memory.length; place++) {
      text.append(s.memory[place]).append(place % WIDTH == WIDTH - 1 ? "; " : " ");
    }
    return text.toString();
  }
}
