package dev.oriel.it.check;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A second opinion on MSCCL++ execution plans. It reads the file by a parser of its own and
 * executes it thread by thread on sets of contributions with vector clocks, as the description of
 * the format says. It shares no code with the reader, the translation or the simulator. A block is
 * a thread that moves all data and one thread for each channel of an operation, which only a nop
 * orders.
 */
@SuppressWarnings("NullAway") // a missing member fails the test
final class ExecutionPlanInterpreter {
  /** What may be wrong with a plan. */
  enum Mistake {
    DEADLOCK,
    VALUE,
    /** Not even dependent packets, or the start of a launch, order two accesses. */
    RACE,
    /** Release and acquire order two accesses not. */
    STRICT_RACE,
    UNWRITTEN
  }

  private static final int LAUNCHES = 3;

  private final Map<String, Object> root;
  private final List<Map<String, Object>> gpus;
  private final int world;
  private final String collective;
  private final boolean inPlace;
  private final boolean doubled;
  private final int units;
  private final int turnUnits;
  private final int scratchUnits;

  /** Launches of a graph that is replayed; 0 if none is. */
  private final int graph;

  private final List<Agent> agents = new ArrayList<>();
  private final List<Rank> ranks = new ArrayList<>();
  private final Map<String, Cell> memory = new HashMap<>();
  private final Map<String, List<Post>> counters = new HashMap<>();
  private final Map<String, Integer> waits = new HashMap<>();
  private final Set<Mistake> mistakes = EnumSet.noneOf(Mistake.class);

  /**
   * The clock of release and acquire alone, and the numbers of the other touches that are known to
   * come before: reads that packets prove to have ended, and the caller's.
   */
  private static final class Clocks {
    private final int[] strict;
    private final BitSet known;

    Clocks(int size) {
      strict = new int[size];
      known = new BitSet();
    }

    Clocks(Clocks of) {
      strict = of.strict.clone();
      known = (BitSet) of.known.clone();
    }

    void join(Clocks other) {
      for (int i = 0; i < strict.length; i++) {
        strict[i] = Math.max(strict[i], other.strict[i]);
      }
      known.or(other.known);
    }
  }

  private record Post(Clocks clocks, boolean releases) {}

  /**
   * An access of a cell.
   *
   * @param number its number if something else than release and acquire may order it
   */
  private record Touch(int agent, int time, boolean write, boolean packet, int number) {}

  private static final class Cell {
    private List<String> data = List.of();
    private boolean written;
    private int flag;

    /** The touches that the packet proves to have ended. */
    private BitSet known = new BitSet();

    private final List<Touch> touches = new ArrayList<>();
  }

  /** An operation in a turn, for the thread that executes it. */
  private record Task(Map<String, Object> operation, int turn, int index) {}

  private final class Agent {
    private final int number;
    private final int gpu;
    private final String name;
    private Clocks clocks = new Clocks(0);
    private List<Task> tasks = List.of();
    private int next;
    private int nops;

    /** What single threads know since the last nop. */
    private final BitSet sinceNop = new BitSet();

    Agent(int gpu, String name) {
      this.number = agents.size();
      this.gpu = gpu;
      this.name = name;
      agents.add(this);
    }

    boolean ended() {
      return next == tasks.size();
    }
  }

  private static final class Proxy {
    private final Agent agent;
    private final Deque<Request> requests = new ArrayDeque<>();
    private int flushed;
    private final List<Clocks> ends = new ArrayList<>();

    Proxy(Agent agent) {
      this.agent = agent;
    }
  }

  private record Request(
      Map<String, Object> operation, int turn, int index, String kind, Clocks clocks) {}

  private static final class Rank {
    private int launch;
    private Agent caller;
    private Clocks begun = new Clocks(0);
    private final List<List<Agent>> blocks = new ArrayList<>();
    private final Map<Integer, Proxy> proxies = new LinkedHashMap<>();
    private final Map<String, List<Clocks>> meetings = new HashMap<>();
  }

  private ExecutionPlanInterpreter(
      String text, int units, int turnUnits, int scratchUnits, int graph) {
    this.graph = graph;
    root = object(new Parser(text).value());
    gpus = array(root, "gpus").stream().map(ExecutionPlanInterpreter::object).toList();
    world = gpus.size();
    collective = (String) root.get("collective");
    inPlace = (Boolean) root.get("inplace");
    gpus.forEach(ExecutionPlanInterpreter::resolveBuffers);
    doubled = Boolean.TRUE.equals(root.get("use_double_scratch_buffer"));
    this.units = units;
    this.turnUnits = turnUnits;
    this.scratchUnits = scratchUnits;
  }

  /** All mistakes that the execution in a drawn order shows. */
  static Set<Mistake> mistakes(
      String text, int units, int turnUnits, int scratchUnits, Random random) {
    return new ExecutionPlanInterpreter(text, units, turnUnits, scratchUnits, 0).run(random);
  }

  /** The same for replays of a graph with so many launches, of plans without pipelines. */
  static Set<Mistake> replayed(String text, int units, int graph, Random random) {
    return new ExecutionPlanInterpreter(text, units, 0, units, graph).run(random);
  }

  /** A place's buffer is one of the list of its block; from here on it is one of its gpu. */
  private static void resolveBuffers(Map<String, Object> gpu) {
    for (Map<String, Object> block : objects(gpu, "threadblocks")) {
      Map<Object, List<Object>> known = new HashMap<>();
      for (Map<String, Object> refs : objects(block, "remote_buffer_refs")) {
        known
            .computeIfAbsent(refs.get("access_channel_type"), k -> new ArrayList<>())
            .addAll(array(refs, "remote_buffer_ids"));
      }
      for (Map<String, Object> operation : objects(block, "ops")) {
        resolveBuffers(operation, known);
        objects(operation, "ops").forEach(inner -> resolveBuffers(inner, known));
      }
    }
  }

  private static void resolveBuffers(
      Map<String, Object> operation, Map<Object, List<Object>> known) {
    for (String side : List.of("src_buff", "dst_buff")) {
      for (Map<String, Object> place : objects(operation, side)) {
        if (place.containsKey("buffer_id")) {
          place.put(
              "buffer_id",
              known.get(operation.get("channel_type")).get(number(place, "buffer_id")));
        }
      }
    }
  }

  /** The flag that the host passed when the launch was captured, or passes to it. */
  private int flag(int launch) {
    return graph == 0 ? launch : (launch - 1) % graph + 1;
  }

  private Set<Mistake> run(Random random) {
    for (int g = 0; g < world; g++) {
      Rank rank = new Rank();
      ranks.add(rank);
      rank.caller = new Agent(g, "caller");
      for (Map<String, Object> _ : objects(gpus.get(g), "threadblocks")) {
        List<Agent> threads = new ArrayList<>();
        threads.add(new Agent(g, "data"));
        for (int t = 0; t < 8; t++) {
          threads.add(new Agent(g, "thread" + t));
        }
        rank.blocks.add(threads);
      }
      for (int c = 0; c < 64; c++) {
        rank.proxies.put(c, new Proxy(new Agent(g, "port" + c)));
      }
    }
    agents.forEach(agent -> agent.clocks = new Clocks(agents.size()));
    List<Runnable> ready = new ArrayList<>();
    do {
      ready.clear();
      for (int g = 0; g < world; g++) {
        collect(g, ready);
      }
      if (!ready.isEmpty()) {
        ready.get(random.nextInt(ready.size())).run();
      }
    } while (!ready.isEmpty());
    if (ranks.stream().anyMatch(rank -> rank.launch <= LAUNCHES)) {
      mistakes.add(Mistake.DEADLOCK);
    }
    return mistakes;
  }

  private void collect(int g, List<Runnable> ready) {
    Rank rank = ranks.get(g);
    boolean ended =
        rank.blocks.stream().flatMap(List::stream).allMatch(Agent::ended)
            && rank.proxies.values().stream().allMatch(proxy -> proxy.requests.isEmpty());
    if (ended) {
      if (rank.launch <= LAUNCHES) {
        ready.add(() -> launch(g));
      }
      return;
    }
    for (int b = 0; b < rank.blocks.size(); b++) {
      int block = b;
      for (Agent agent : rank.blocks.get(b)) {
        if (!agent.ended() && enabled(block, agent)) {
          ready.add(() -> execute(block, agent));
        }
      }
    }
    for (Proxy proxy : rank.proxies.values()) {
      if (!proxy.requests.isEmpty()) {
        ready.add(() -> serve(proxy));
      }
    }
  }

  /** The caller takes the outputs of one launch, fills the inputs of the next and launches it. */
  private void launch(int g) {
    Rank rank = ranks.get(g);
    Agent caller = rank.caller;
    for (List<Agent> threads : rank.blocks) {
      for (Agent thread : threads) {
        caller.clocks.join(thread.clocks);
        caller.clocks.known.or(thread.sinceNop);
        thread.sinceNop.clear();
      }
    }
    rank.proxies.values().forEach(proxy -> caller.clocks.join(proxy.agent.clocks));
    tick(caller);
    if (rank.launch > 0) {
      judge(g, rank.launch);
    }
    rank.launch++;
    if (rank.launch > LAUNCHES) {
      return;
    }
    for (int k = 0; k < chunks(g, "input_chunks") * units; k++) {
      Cell cell = cell(key(g, "i", k));
      caller.clocks.known.set(touch(caller, cell, true, true, caller.clocks.known));
      cell.written = true;
      cell.data = List.of(g + "." + k + "." + rank.launch);
    }
    tick(caller);
    rank.begun = new Clocks(caller.clocks);
    for (int b = 0; b < rank.blocks.size(); b++) {
      List<Map<String, Object>> operations =
          objects(objects(gpus.get(g), "threadblocks").get(b), "ops");
      for (Agent agent : rank.blocks.get(b)) {
        agent.clocks.join(caller.clocks);
        settled.put(agent, agent.clocks.strict[agent.number]);
        agent.tasks = tasks(agent, operations);
        agent.next = 0;
      }
    }
  }

  private void judge(int g, int launch) {
    int outputs = chunks(g, "output_chunks") * units;
    for (int k = 0; k < outputs; k++) {
      List<String> expected = expected(g, k, launch);
      if (expected.isEmpty()) {
        continue;
      }
      Cell cell = cell(key(g, "o", k));
      Agent caller = ranks.get(g).caller;
      caller.clocks.known.set(touch(caller, cell, false, true, caller.clocks.known));
      if (!expected.equals(cell.data)) {
        mistakes.add(Mistake.VALUE);
      }
    }
  }

  private List<String> expected(int g, int k, int launch) {
    int block = chunks(g, "output_chunks") * units / world;
    int share = chunks(g, "input_chunks") * units / world;
    return switch (collective) {
      case "allreduce" -> all(k, launch);
      case "allgather" -> List.of(k / block + "." + k % block + "." + launch);
      case "reducescatter" -> all(g * share + k, launch);
      case "broadcast" -> List.of("0." + k + "." + launch);
      case "sendrecv" -> List.of((g + world - 1) % world + "." + k + "." + launch);
      case "alltoall" -> List.of(k / block + "." + (g * block + k % block) + "." + launch);
      default -> List.of();
    };
  }

  private List<String> all(int k, int launch) {
    List<String> all = new ArrayList<>();
    for (int r = 0; r < world; r++) {
      all.add(r + "." + k + "." + launch);
    }
    all.sort(null);
    return all;
  }

  private List<Task> tasks(Agent agent, List<Map<String, Object>> operations) {
    List<Task> tasks = new ArrayList<>();
    for (Map<String, Object> operation : operations) {
      if (!operation.get("name").equals("pipeline")) {
        add(agent, operation, 0, tasks);
        continue;
      }
      int chunks = number(object(operation.get("iter_context")), "num_chunks");
      int turns = turnUnits == 0 ? 1 : (chunks * units + turnUnits - 1) / turnUnits;
      for (int turn = 0; turn < turns; turn++) {
        for (Map<String, Object> inner : objects(operation, "ops")) {
          add(agent, inner, turn, tasks);
        }
      }
    }
    return tasks;
  }

  private static void add(Agent agent, Map<String, Object> operation, int turn, List<Task> into) {
    String name = (String) operation.get("name");
    boolean port = "port".equals(operation.get("channel_type"));
    boolean few =
        List.of("signal", "wait", "rlxsignal", "rlxwait", "flush", "sem_acquire", "sem_release")
                .contains(name)
            || port;
    int threads =
        Math.max(array(operation, "channel_ids").size(), array(operation, "semaphore_ids").size());
    if (name.equals("barrier")) {
      into.add(new Task(Map.of("name", "nop"), turn, 0));
      if (agent.name.equals("thread0")) {
        into.add(new Task(operation, turn, 0));
      }
      into.add(new Task(Map.of("name", "nop"), turn, 0));
    } else if (name.equals("nop")) {
      into.add(new Task(operation, turn, 0));
    } else if (!few) {
      if (agent.name.equals("data")) {
        into.add(new Task(operation, turn, 0));
      }
    } else {
      for (int t = 0; t < threads; t++) {
        if (agent.name.equals("thread" + t)) {
          into.add(new Task(operation, turn, t));
          if (name.equals("pwsf")) {
            Map<String, Object> flush = new HashMap<>(operation);
            flush.put("name", "flush");
            into.add(new Task(flush, turn, t));
          }
        }
      }
    }
  }

  @SuppressWarnings("RefactorSwitch") // cases of several statements
  private boolean enabled(int block, Agent agent) {
    Task task = agent.tasks.get(agent.next);
    String name = (String) task.operation.get("name");
    switch (name) {
      case "nop" -> {
        // All threads must have come to it.
        return ranks.get(agent.gpu).blocks.get(block).stream()
            .allMatch(thread ->
                !thread.ended()
                    && thread.tasks.get(thread.next).operation.get("name").equals("nop")
                    && thread.nops == agent.nops);
      }
      case "wait", "rlxwait" -> {
        String counter = counter(agent, block, task, true);
        return counters.getOrDefault(counter, List.of()).size() > waits.getOrDefault(counter, 0);
      }
      case "sem_acquire" -> {
        int id = ((Number) array(task.operation, "semaphore_ids").get(task.index)).intValue();
        String counter = semaphore(agent, task);
        int start = number(objects(gpus.get(agent.gpu), "semaphores").get(id), "init_value");
        return start + counters.getOrDefault(counter, List.of()).size()
            > waits.getOrDefault(counter, 0);
      }
      case "barrier" -> {
        List<Clocks> here = meeting(agent, task);
        int blocks = number(task.operation, "num_threadblocks");
        // It arrives, and then waits for the round in which it arrived.
        return !arrived(agent) || here.size() / blocks > round(agent, task);
      }
      case "flush" -> {
        Proxy proxy = proxy(agent, block, task);
        return !asked(agent) || proxy.flushed > waits.getOrDefault(flushes(agent, block, task), 0);
      }
      default -> {
        for (Map<String, Object> place : packetSources(task)) {
          for (String key : keys(agent.gpu, place, task, true)) {
            if (cell(key).flag != flag(ranks.get(agent.gpu).launch)) {
              return false;
            }
          }
        }
        return true;
      }
    }
  }

  private final Map<Agent, Integer> askedAt = new HashMap<>();
  private final Map<String, Integer> rounds = new HashMap<>();
  private final Map<Agent, Integer> arrivedAt = new HashMap<>();

  private boolean asked(Agent agent) {
    return askedAt.getOrDefault(agent, -1) == agent.next;
  }

  private boolean arrived(Agent agent) {
    return arrivedAt.getOrDefault(agent, -1) == agent.next;
  }

  private int round(Agent agent, Task task) {
    return rounds.getOrDefault(agent.number + " " + task.operation.get("barrier_id"), 0);
  }

  private List<Clocks> meeting(Agent agent, Task task) {
    return ranks
        .get(agent.gpu)
        .meetings
        .computeIfAbsent(String.valueOf(task.operation.get("barrier_id")), k -> new ArrayList<>());
  }

  private String flushes(Agent agent, int block, Task task) {
    return "flush %d %d".formatted(agent.gpu, channel(agent, block, task));
  }

  private void execute(int block, Agent agent) {
    Task task = agent.tasks.get(agent.next);
    String name = (String) task.operation.get("name");
    switch (name) {
      case "nop" -> {
        List<Agent> threads = ranks.get(agent.gpu).blocks.get(block);
        Clocks all = new Clocks(agents.size());
        for (Agent thread : threads) {
          all.join(thread.clocks);
          all.known.or(thread.sinceNop);
          thread.sinceNop.clear();
        }
        for (Agent thread : threads) {
          thread.clocks.join(all);
          settled.put(thread, thread.clocks.strict[thread.number]);
          tick(thread);
          thread.nops++;
          thread.next++;
        }
        return;
      }
      case "signal", "rlxsignal" -> {
        if ("port".equals(task.operation.get("channel_type"))) {
          request(agent, block, task, "signal");
        } else {
          post(counter(agent, block, task, false), agent, name.equals("signal"));
        }
      }
      case "wait", "rlxwait" -> {
        String counter = counter(agent, block, task, true);
        int k = waits.merge(counter, 1, Integer::sum);
        acquire(agent, counter, k, name.equals("wait"));
        // The signal says that the peer's launch has begun.
        agent.clocks.known.or(ranks.get(peer(agent, block, task)).begun.known);
      }
      case "sem_release" -> post(semaphore(agent, task), agent, true);
      case "sem_acquire" -> {
        String counter = semaphore(agent, task);
        int id = ((Number) array(task.operation, "semaphore_ids").get(task.index)).intValue();
        int start = number(objects(gpus.get(agent.gpu), "semaphores").get(id), "init_value");
        acquire(agent, counter, waits.merge(counter, 1, Integer::sum) - start, true);
      }
      case "barrier" -> {
        List<Clocks> here = meeting(agent, task);
        int blocks = number(task.operation, "num_threadblocks");
        if (!arrived(agent)) {
          arrivedAt.put(agent, agent.next);
          here.add(new Clocks(agent.clocks));
          tick(agent);
          return;
        }
        String key = agent.number + " " + task.operation.get("barrier_id");
        int round = rounds.merge(key, 1, Integer::sum);
        for (int i = 0; i < round * blocks; i++) {
          agent.clocks.join(here.get(i));
        }
        arrivedAt.remove(agent);
      }
      case "flush" -> {
        if (!asked(agent)) {
          askedAt.put(agent, agent.next);
          request(agent, block, task, "flush");
          return;
        }
        askedAt.remove(agent);
        int k = waits.merge(flushes(agent, block, task), 1, Integer::sum);
        for (int i = 0; i < k; i++) {
          agent.clocks.join(proxy(agent, block, task).ends.get(i));
        }
      }
      default -> {
        if ("port".equals(task.operation.get("channel_type"))) {
          request(agent, block, task, name);
        } else {
          move(agent, task, -1);
        }
      }
    }
    agent.next++;
  }

  private String semaphore(Agent agent, Task task) {
    return "sem " + agent.gpu + " " + array(task.operation, "semaphore_ids").get(task.index);
  }

  private void post(String counter, Agent agent, boolean releases) {
    counters
        .computeIfAbsent(counter, c -> new ArrayList<>())
        .add(new Post(new Clocks(agent.clocks), releases));
    tick(agent);
  }

  private void acquire(Agent agent, String counter, int count, boolean acquires) {
    List<Post> posts = counters.getOrDefault(counter, List.of());
    for (int i = 0; i < count && i < posts.size(); i++) {
      if (acquires && posts.get(i).releases) {
        agent.clocks.join(posts.get(i).clocks);
      }
    }
  }

  private void request(Agent agent, int block, Task task, String kind) {
    Proxy proxy = proxy(agent, block, task);
    proxy.requests.add(
        new Request(task.operation, task.turn, task.index, kind, new Clocks(agent.clocks)));
    tick(agent);
  }

  private Proxy proxy(Agent agent, int block, Task task) {
    return ranks.get(agent.gpu).proxies.get(channel(agent, block, task));
  }

  private void serve(Proxy proxy) {
    Request request = proxy.requests.remove();
    Agent agent = proxy.agent;
    agent.clocks.join(request.clocks);
    Task task = new Task(request.operation, request.turn, request.index);
    if (List.of("put", "pws", "pwsf").contains(request.kind)) {
      move(agent, task, request.index);
    }
    if (List.of("signal", "pws", "pwsf").contains(request.kind)) {
      int channel = -1;
      for (var entry : ranks.get(agent.gpu).proxies.entrySet()) {
        channel = entry.getValue() == proxy ? entry.getKey() : channel;
      }
      post(counterOf("port", agent.gpu, channel, false), agent, true);
    }
    if (request.kind.equals("flush")) {
      proxy.flushed++;
      proxy.ends.add(new Clocks(agent.clocks));
      tick(agent);
    }
  }

  /** The channel's id in the gpu. */
  private int channel(Agent agent, int block, Task task) {
    String type = (String) task.operation.get("channel_type");
    List<Object> ids = new ArrayList<>();
    for (Map<String, Object> each :
        objects(objects(gpus.get(agent.gpu), "threadblocks").get(block), "channels")) {
      if (each.get("channel_type").equals(type)) {
        ids.addAll(array(each, "channel_ids"));
      }
    }
    int at = ((Number) array(task.operation, "channel_ids").get(task.index)).intValue();
    return ((Number) ids.get(at)).intValue();
  }

  private List<Object> connected(String type, int gpu) {
    List<Object> peers = new ArrayList<>();
    for (Map<String, Object> each : objects(gpus.get(gpu), "channels")) {
      if (each.get("channel_type").equals(type)) {
        peers.addAll(array(each, "connected_to"));
      }
    }
    return peers;
  }

  private int peer(Agent agent, int block, Task task) {
    List<Object> peers = connected((String) task.operation.get("channel_type"), agent.gpu);
    return ((Number) peers.get(channel(agent, block, task))).intValue();
  }

  private String counter(Agent agent, int block, Task task, boolean incoming) {
    String type = (String) task.operation.get("channel_type");
    return counterOf(type, agent.gpu, channel(agent, block, task), incoming);
  }

  private String counterOf(String type, int gpu, int channel, boolean incoming) {
    List<Object> peers = connected(type, gpu);
    int pair = 0;
    for (int c = 0; c < channel; c++) {
      pair += peers.get(c).equals(peers.get(channel)) ? 1 : 0;
    }
    int peer = ((Number) peers.get(channel)).intValue();
    return incoming
        ? "%s %d>%d %d".formatted(type, peer, gpu, pair)
        : "%s %d>%d %d".formatted(type, gpu, peer, pair);
  }

  private List<Map<String, Object>> packetSources(Task task) {
    List<Map<String, Object>> from = objects(task.operation, "src_buff");
    return switch ((String) task.operation.get("name")) {
      case "rppkt", "upkt", "gstorepkt" -> from.subList(0, 1);
      case "repkt", "recpkt", "respkt", "recspkt" -> from.subList(1, from.size());
      default -> List.of();
    };
  }

  private static boolean packetTarget(String name, int index) {
    return switch (name) {
      case "ppkt", "rppkt", "cpkt", "gstorepkt" -> true;
      case "respkt", "recpkt", "recspkt" -> index > 0;
      default -> false;
    };
  }

  /** Moves the data of an operation, or of one of its pairs. */
  private void move(Agent agent, Task task, int only) {
    Map<String, Object> operation = task.operation;
    String name = (String) operation.get("name");
    List<Map<String, Object>> from = objects(operation, "src_buff");
    List<Map<String, Object>> to = objects(operation, "dst_buff");
    boolean pairs = List.of("put", "get", "ppkt", "pws", "pwsf").contains(name);
    tick(agent);
    if (pairs) {
      for (int i = 0; i < to.size(); i++) {
        if (only < 0 || only == i) {
          carry(agent, task, List.of(from.get(i)), List.of(to.get(i)), List.of(i));
        }
      }
      return;
    }
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < to.size(); i++) {
      numbers.add(i);
    }
    carry(agent, task, from, to, numbers);
  }

  private void carry(
      Agent agent,
      Task task,
      List<Map<String, Object>> from,
      List<Map<String, Object>> to,
      List<Integer> numbers) {
    String name = (String) task.operation.get("name");
    boolean packets = packetTarget(name, 1);
    List<Map<String, Object>> packed = packetSources(task);
    int sources = from.getFirst().containsKey("switch_channel_id") ? world : 1;
    int length = keys(agent.gpu, from.getFirst(), task, false).size() / sources;
    List<List<String>> made = new ArrayList<>();
    List<BitSet> known = new ArrayList<>();
    for (int k = 0; k < length; k++) {
      List<String> sum = new ArrayList<>();
      BitSet before = (BitSet) agent.clocks.known.clone();
      BitSet own = new BitSet();
      for (Map<String, Object> place : from) {
        boolean packet = packed.contains(place);
        int width = place.containsKey("switch_channel_id") ? world : 1;
        List<String> all = keys(agent.gpu, place, task, packet);
        int each = all.size() / width;
        for (int r = 0; r < width; r++) {
          Cell cell = cell(all.get(r * each + k));
          if (packet) {
            before.or(cell.known);
            touchPacket(agent, all.get(r * each + k), false);
          } else {
            own.set(touch(agent, cell, false, packets, agent.clocks.known));
          }
          if (!cell.written) {
            mistakes.add(Mistake.UNWRITTEN);
          }
          sum.addAll(cell.data);
        }
      }
      sum.sort(null);
      made.add(sum);
      before.or(own);
      known.add(before);
      agent.sinceNop.or(before);
    }
    for (int d = 0; d < to.size(); d++) {
      boolean packet = packetTarget(name, numbers.get(d));
      List<String> all = keys(agent.gpu, to.get(d), task, packet);
      boolean copy =
          from.size() == 1
              && !from.getFirst().containsKey("switch_channel_id")
              && all.equals(
                  keys(agent.gpu, from.getFirst(), task, packed.contains(from.getFirst())));
      if (copy) {
        continue;
      }
      for (int i = 0; i < all.size(); i++) {
        Cell cell = cell(all.get(i));
        if (packet) {
          cell.flag = flag(ranks.get(agent.gpu).launch);
          cell.known = known.get(i % length);
          touchPacket(agent, all.get(i), true);
        } else {
          touch(agent, cell, true, false, known.get(i % length));
        }
        cell.written = true;
        cell.data = made.get(i % length);
      }
    }
  }

  /** The cells of a place, one for each unit. */
  private List<String> keys(int gpu, Map<String, Object> place, Task task, boolean packet) {
    List<Integer> at = new ArrayList<>();
    String buffer;
    if (place.containsKey("switch_channel_id")) {
      buffer = switchBuffer(gpu, number(place, "switch_channel_id"));
      for (int r = 0; r < world; r++) {
        at.add(r);
      }
    } else if (place.containsKey("buffer_id")) {
      Map<String, Object> remote =
          objects(gpus.get(gpu), "remote_buffers").get(number(place, "buffer_id"));
      buffer = (String) remote.get("type");
      at.add(number(remote, "rank"));
    } else {
      buffer = (String) place.get("type");
      at.add(gpu);
    }
    int total = number(place, "size") * units;
    int part = 0;
    int parts = 1;
    if (task.operation.containsKey("tbg_info")) {
      part = number(object(task.operation.get("tbg_info")), "tb_id");
      parts = number(object(task.operation.get("tbg_info")), "tbg_size");
    }
    int begin = part * (total / parts) + Math.min(part, total % parts);
    int end = (part + 1) * (total / parts) + Math.min(part + 1, total % parts);
    int ahead = task.turn * turnUnits;
    int length = turnUnits == 0 ? end - begin : Math.min(end - begin - ahead, turnUnits);
    List<String> keys = new ArrayList<>();
    for (int rank : at) {
      for (int u = 0; u < length; u++) {
        if (buffer.equals("s")) {
          int unit =
              number(place, "index") * scratchUnits
                  + begin
                  + (ahead == 0 ? 0 : ahead % scratchUnits)
                  + u;
          int half = doubled ? flag(ranks.get(gpu).launch) % 2 : 0;
          keys.add("%d s%d %d %b".formatted(rank, half, unit, packet));
        } else {
          keys.add(key(rank, buffer, number(place, "index") * units + begin + ahead + u));
        }
      }
    }
    return keys;
  }

  private String switchBuffer(int gpu, int channel) {
    int at = 0;
    for (Map<String, Object> each : objects(gpus.get(gpu), "channels")) {
      if (each.get("channel_type").equals("switch")) {
        for (Object _ : array(each, "rank_groups")) {
          if (at++ == channel) {
            return (String) each.getOrDefault("buffer_type", each.get("buff"));
          }
        }
      }
    }
    throw new AssertionError(channel);
  }

  private String key(int rank, String buffer, int unit) {
    boolean custom =
        !List.of("allreduce", "allgather", "reducescatter", "alltoall").contains(collective);
    if (!inPlace || custom) {
      return rank + " " + buffer + " " + unit;
    }
    boolean shifted =
        buffer.equals("i") ? collective.equals("allgather") : collective.equals("reducescatter");
    String name = buffer.equals("i") ? "input_chunks" : "output_chunks";
    return rank + " io " + (unit + (shifted ? rank * chunks(rank, name) * units : 0));
  }

  private int chunks(int gpu, String name) {
    return number(gpus.get(gpu), name);
  }

  private Cell cell(String key) {
    return memory.computeIfAbsent(key, k -> new Cell());
  }

  private static void tick(Agent agent) {
    agent.clocks.strict[agent.number]++;
  }

  /** Notes an access of plain bytes, and returns its number; 0 if nothing can order it. */
  private int touch(Agent agent, Cell cell, boolean write, boolean numbered, BitSet known) {
    int number = numbered ? ++touches : 0;
    touch(agent, cell, new Touch(agent.number, now(agent), write, false, number), known);
    return number;
  }

  /** A packet takes the place of two plain units of scratch. */
  private void touchPacket(Agent agent, String key, boolean write) {
    String[] words = key.split(" ", -1);
    for (int half = 0; half < 2; half++) {
      int unit = 2 * Integer.parseInt(words[2]) + half;
      Cell plain = cell("%s %s %d false".formatted(words[0], words[1], unit));
      touch(agent, plain, new Touch(agent.number, now(agent), write, true, 0), agent.clocks.known);
    }
  }

  private static int now(Agent agent) {
    return agent.clocks.strict[agent.number];
  }

  private void touch(Agent agent, Cell cell, Touch touch, BitSet known) {
    for (Touch earlier : cell.touches) {
      boolean packets = touch.packet && earlier.packet;
      boolean conflict = (touch.write || earlier.write) && !packets;
      boolean ordered = earlier.time <= agent.clocks.strict[earlier.agent];
      // Moves between two nops are in no order.
      if (earlier.agent == agent.number && agent.name.equals("data")) {
        ordered = earlier.time <= settled.getOrDefault(agent, 0) || earlier.time == touch.time;
      }
      if (conflict && !ordered) {
        mistakes.add(Mistake.STRICT_RACE);
        if (earlier.number == 0 || !known.get(earlier.number)) {
          mistakes.add(Mistake.RACE);
        }
      }
    }
    cell.touches.add(touch);
  }

  private int touches;
  private final Map<Agent, Integer> settled = new HashMap<>();

  private static int number(Map<String, Object> of, String name) {
    return ((Number) of.get(name)).intValue();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> object(Object value) {
    return (Map<String, Object>) value;
  }

  @SuppressWarnings("unchecked")
  private static List<Object> array(Map<String, Object> of, String name) {
    return (List<Object>) of.getOrDefault(name, List.of());
  }

  private static List<Map<String, Object>> objects(Map<String, Object> of, String name) {
    return array(of, name).stream().map(ExecutionPlanInterpreter::object).toList();
  }

  /** Reads JSON that is known to be right. */
  private static final class Parser {
    private final String text;
    private int at;

    Parser(String text) {
      this.text = text;
    }

    private char peek() {
      while (" \t\r\n,:".indexOf(text.charAt(at)) >= 0) {
        at++;
      }
      return text.charAt(at);
    }

    Object value() {
      char first = peek();
      if (first == '{') {
        at++;
        Map<String, Object> members = new LinkedHashMap<>();
        while (peek() != '}') {
          String name = (String) value();
          members.put(name, value());
        }
        at++;
        return members;
      }
      if (first == '[') {
        at++;
        List<Object> elements = new ArrayList<>();
        while (peek() != ']') {
          elements.add(value());
        }
        at++;
        return elements;
      }
      if (first == '"') {
        int end = text.indexOf('"', at + 1);
        String found = text.substring(at + 1, end);
        at = end + 1;
        return found;
      }
      int end = at;
      while (",]} \n\r\t".indexOf(text.charAt(end)) < 0) {
        end++;
      }
      String word = text.substring(at, end);
      at = end;
      return word.equals("true") || word.equals("false")
          ? (Object) Boolean.valueOf(word)
          : (Object) Double.valueOf(word);
    }
  }
}
