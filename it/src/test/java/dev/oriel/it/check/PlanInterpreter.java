package dev.oriel.it.check;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * A second opinion on plans in MSCCL XML. It reads the file by the JDK's own parser and executes it
 * chunk by chunk, on sets of contributions with vector clocks. It shares no code with the reader,
 * the translation or the simulator.
 */
final class PlanInterpreter {
  /** What may be wrong with a plan. */
  enum Mistake {
    DEADLOCK,
    VALUE,
    RACE,
    UNWRITTEN,
    LEFTOVER,
    SHARED,
    OVERLAP,
    SIZES
  }

  private static final int SLOTS_OF_SIMPLE = 2;
  private static final int SLOTS_OF_PACKETS = 8;

  private final Element algo;
  private final int world;
  private final int chunks;
  private final String collective;
  private final boolean packets;
  private final boolean inPlace;
  private final boolean asWritten;
  private final int split;
  private final List<Agent> agents = new ArrayList<>();
  private final Map<Integer, List<Agent>> blocks = new HashMap<>();
  private final Map<String, Connection> connections = new HashMap<>();

  /** The contributions in each chunk, as sorted words; absent where nothing was written. */
  private final Map<String, List<String>> memory = new HashMap<>();

  private final Map<String, List<Touch>> touches = new HashMap<>();
  private final Set<Mistake> mistakes = new TreeSet<>();

  private record Touch(int agent, int time, boolean write) {}

  private static final class Message {
    private final List<List<String>> data;
    private final int[] clock;

    Message(List<List<String>> data, int[] clock) {
      this.data = data;
      this.clock = clock;
    }
  }

  private static final class Announcement {
    private final int step;
    private final int[] clock;

    Announcement(int step, int[] clock) {
      this.step = step;
      this.clock = clock;
    }
  }

  private static final class Connection {
    private final Deque<Message> queue = new ArrayDeque<>();
    private final List<int[]> freed = new ArrayList<>();
    private int sent;
  }

  private static final class Agent {
    private final int number;
    private final int gpu;
    private final int send;
    private final int receive;
    private final int channel;
    private final List<Element> steps = new ArrayList<>();
    private final List<Announcement> announced = new ArrayList<>();
    private int next;
    private int piece;
    private int[] clock = {};

    Agent(int number, int gpu, Element block) {
      this.number = number;
      this.gpu = gpu;
      this.send = number(block, "send");
      this.receive = number(block, "recv");
      this.channel = number(block, "chan");
      children(block, "step").forEach(steps::add);
    }
  }

  private PlanInterpreter(Element algo, boolean inPlace, boolean asWritten, int split) {
    this.algo = algo;
    this.world = number(algo, "ngpus");
    this.chunks = number(algo, "nchunksperloop");
    this.collective = algo.getAttribute("coll");
    this.packets = !algo.getAttribute("proto").equals("Simple");
    this.inPlace = inPlace;
    this.asWritten = asWritten;
    this.split = split;
  }

  /**
   * All mistakes that the execution in a drawn order shows.
   *
   * @param asWritten whether flags between blocks order no memory
   */
  static Set<Mistake> mistakes(
      String xml, boolean inPlace, boolean asWritten, int split, Random random) {
    try {
      Element algo =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)))
              .getDocumentElement();
      return new PlanInterpreter(algo, inPlace, asWritten, split).run(random);
    } catch (Exception e) {
      throw new AssertionError(xml, e);
    }
  }

  private static int number(Element element, String name) {
    return Integer.parseInt(element.getAttribute(name));
  }

  private static List<Element> children(Element element, String name) {
    NodeList nodes = element.getElementsByTagName(name);
    List<Element> all = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      all.add((Element) nodes.item(i));
    }
    return all;
  }

  private Set<Mistake> run(Random random) {
    for (Element gpu : children(algo, "gpu")) {
      int id = number(gpu, "id");
      fill(id);
      for (Element block : children(gpu, "tb")) {
        Agent agent = new Agent(agents.size(), id, block);
        agents.add(agent);
        blocks.computeIfAbsent(id, _ -> new ArrayList<>()).add(agent);
      }
    }
    agents.forEach(agent -> agent.clock = new int[agents.size()]);
    if (shared()) {
      return Set.of(Mistake.SHARED);
    }
    Optional<Agent> next;
    do {
      int from = random.nextInt(agents.size());
      next =
          IntStream.range(0, agents.size())
              .mapToObj(i -> agents.get((from + i) % agents.size()))
              .filter(this::ready)
              .findFirst();
      next.ifPresent(this::execute);
    } while (next.isPresent());
    if (agents.stream().anyMatch(agent -> agent.next < agent.steps.size())) {
      mistakes.add(Mistake.DEADLOCK);
    } else if (!result()) {
      mistakes.add(Mistake.VALUE);
    }
    if (connections.values().stream().anyMatch(connection -> !connection.queue.isEmpty())) {
      mistakes.add(Mistake.LEFTOVER);
    }
    return mistakes;
  }

  private boolean shared() {
    Set<String> ends = new TreeSet<>();
    boolean twice = false;
    for (Agent agent : agents) {
      if (agent.send >= 0) {
        twice |= !ends.add("out " + agent.gpu + " " + agent.send + " " + agent.channel);
      }
      if (agent.receive >= 0) {
        twice |= !ends.add("in " + agent.receive + " " + agent.gpu + " " + agent.channel);
      }
    }
    return twice;
  }

  private int block() {
    return chunks / world;
  }

  private void fill(int gpu) {
    boolean gather = collective.equals("allgather");
    for (int k = 0; k < (gather ? block() : chunks); k++) {
      memory.put(key(gpu, "i", k), List.of(gpu + "." + k));
    }
  }

  private String key(int gpu, String buffer, int chunk) {
    if (!inPlace || buffer.equals("s")) {
      return gpu + buffer + chunk;
    }
    boolean own =
        buffer.equals("i") ? collective.equals("allgather") : collective.equals("reduce_scatter");
    return gpu + "io" + (chunk + (own ? gpu * block() : 0));
  }

  private Connection connection(int from, int to, int channel) {
    return connections.computeIfAbsent(from + ">" + to + "@" + channel, c -> new Connection());
  }

  private static boolean sends(String type) {
    return List.of("s", "rcs", "rrs", "rrcs").contains(type);
  }

  private static boolean receives(String type) {
    return List.of("r", "rcs", "rrs", "rrc", "rrcs").contains(type);
  }

  private Optional<Announcement> dependency(Agent agent, Element step) {
    int block = number(step, "depid");
    return blocks.getOrDefault(agent.gpu, List.of()).get(block).announced.stream()
        .filter(announcement -> announcement.step >= number(step, "deps"))
        .findFirst();
  }

  private boolean ready(Agent agent) {
    if (agent.next == agent.steps.size()) {
      return false;
    }
    Element step = agent.steps.get(agent.next);
    String type = step.getAttribute("type");
    boolean depends = agent.piece == 0 && number(step, "depid") >= 0;
    if (depends && dependency(agent, step).isEmpty()) {
      return false;
    }
    if (sends(type)) {
      Connection out = connection(agent.gpu, agent.send, agent.channel);
      if (out.queue.size() >= (packets ? SLOTS_OF_PACKETS : SLOTS_OF_SIMPLE)) {
        return false;
      }
    }
    return !receives(type) || !connection(agent.receive, agent.gpu, agent.channel).queue.isEmpty();
  }

  private void execute(Agent agent) {
    Element step = agent.steps.get(agent.next);
    String type = step.getAttribute("type");
    int count = number(step, "cnt");
    if (agent.piece == 0 && number(step, "depid") >= 0 && !asWritten) {
      join(agent, dependency(agent, step).orElseThrow().clock);
    }
    boolean connected = sends(type) || receives(type);
    int length = Math.min(connected ? split : count, count - agent.piece);
    Optional<Connection> out =
        sends(type)
            ? Optional.of(connection(agent.gpu, agent.send, agent.channel))
            : Optional.empty();
    out.ifPresent(to -> {
      int credit = to.sent - (packets ? SLOTS_OF_PACKETS : SLOTS_OF_SIMPLE);
      if (credit >= 0) {
        join(agent, to.freed.get(credit));
      }
    });
    List<List<String>> received = List.of();
    if (receives(type)) {
      Connection in = connection(agent.receive, agent.gpu, agent.channel);
      Message message = in.queue.remove();
      if (!packets) {
        join(agent, message.clock);
      }
      received = message.data;
      if (received.size() != length) {
        mistakes.add(Mistake.SIZES);
      }
    }
    agent.clock[agent.number]++;
    if (overlaps(agent, step, type, length)) {
      mistakes.add(Mistake.OVERLAP);
    }
    List<List<String>> sent = new ArrayList<>();
    for (int k = 0; k < length; k++) {
      int at = agent.piece + k;
      List<String> data = k < received.size() ? received.get(k) : List.of();
      if (List.of("s", "rrs", "rrc", "rrcs", "cpy", "re").contains(type)) {
        data = sum(data, read(agent, step, "src", at));
      }
      if (type.equals("re")) {
        data = sum(data, read(agent, step, "dst", at));
      }
      if (List.of("r", "rcs", "rrc", "rrcs", "cpy", "re").contains(type)) {
        write(agent, step, at, data);
      }
      sent.add(data);
    }
    int[] now = agent.clock.clone();
    out.ifPresent(to -> {
      to.queue.add(new Message(sent, now));
      to.sent++;
    });
    if (receives(type)) {
      connection(agent.receive, agent.gpu, agent.channel).freed.add(now);
    }
    agent.piece += length;
    if (agent.piece >= count) {
      if (number(step, "hasdep") == 1) {
        agent.announced.add(new Announcement(agent.next, now));
      }
      agent.next++;
      agent.piece = 0;
    }
  }

  private boolean overlaps(Agent agent, Element step, String type, int length) {
    boolean both = List.of("rrc", "rrcs", "cpy", "re").contains(type);
    for (int a = 0; both && a < length; a++) {
      for (int b = 0; b < length; b++) {
        int at = agent.piece;
        if (a != b && place(agent, step, "src", at + a).equals(place(agent, step, "dst", at + b))) {
          return true;
        }
      }
    }
    return false;
  }

  private static void join(Agent agent, int[] other) {
    for (int i = 0; i < other.length; i++) {
      agent.clock[i] = Math.max(agent.clock[i], other[i]);
    }
  }

  private static List<String> sum(List<String> a, List<String> b) {
    List<String> sum = new ArrayList<>(a);
    sum.addAll(b);
    sum.sort(null);
    return sum;
  }

  private List<String> read(Agent agent, Element step, String end, int ahead) {
    String key = place(agent, step, end, ahead);
    touch(agent, key, false);
    List<String> found = memory.get(key);
    if (found == null) {
      mistakes.add(Mistake.UNWRITTEN);
      return List.of("nothing");
    }
    return found;
  }

  private void write(Agent agent, Element step, int ahead, List<String> data) {
    String key = place(agent, step, "dst", ahead);
    // A copy onto itself is none.
    if (step.getAttribute("type").equals("cpy") && key.equals(place(agent, step, "src", ahead))) {
      return;
    }
    touch(agent, key, true);
    memory.put(key, data);
  }

  private String place(Agent agent, Element step, String end, int ahead) {
    return key(agent.gpu, step.getAttribute(end + "buf"), number(step, end + "off") + ahead);
  }

  private void touch(Agent agent, String key, boolean write) {
    List<Touch> before = touches.computeIfAbsent(key, k -> new ArrayList<>());
    for (Touch touch : before) {
      if (touch.agent != agent.number
          && (write || touch.write)
          && touch.time > agent.clock[touch.agent]) {
        mistakes.add(Mistake.RACE);
      }
    }
    before.add(new Touch(agent.number, agent.clock[agent.number], write));
  }

  private boolean result() {
    for (int gpu = 0; gpu < world; gpu++) {
      for (int k = 0; k < (collective.equals("reduce_scatter") ? block() : chunks); k++) {
        List<String> expected = expected(gpu, k);
        if (!expected.isEmpty() && !expected.equals(memory.get(key(gpu, "o", k)))) {
          return false;
        }
      }
    }
    return true;
  }

  /** What chunk k of the output consists of; nothing if anything is right. */
  private List<String> expected(int gpu, int k) {
    return switch (collective) {
      case "allgather" -> List.of(k / block() + "." + k % block());
      case "alltoall" -> List.of(k / block() + "." + (gpu * block() + k % block()));
      case "broadcast" -> List.of("0." + k);
      case "allreduce" -> all(k);
      case "reduce" -> gpu == 0 ? all(k) : List.of();
      case "reduce_scatter" -> all(gpu * block() + k);
      default -> List.of();
    };
  }

  private List<String> all(int k) {
    List<String> all = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      all.add(rank + "." + k);
    }
    all.sort(null);
    return all;
  }
}
