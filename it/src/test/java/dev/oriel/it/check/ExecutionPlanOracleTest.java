package dev.oriel.it.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.msccl.ImportedPlan;
import dev.oriel.domain.msccl.MscclDefect;
import dev.oriel.domain.msccl.TranslatedPlan;
import dev.oriel.domain.mscclpp.ExecutionPlanJson;
import dev.oriel.domain.mscclpp.ExecutionPlanReader;
import dev.oriel.domain.mscclpp.ExecutionTranslation;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.topology.Topology;
import dev.oriel.it.check.ExecutionPlanInterpreter.Mistake;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Execution plans that are right, and many with one or two wrong operations: the check and {@link
 * ExecutionPlanInterpreter} must agree on each.
 */
class ExecutionPlanOracleTest {
  private static final Pattern OPERATION = Pattern.compile("  (\\{\"name\".*\\})(,?)\n");
  private static final Pattern MEMBER =
      Pattern.compile("\"(index|size|buffer_id|type|tb_id|name)\": (\"[^\"]*\"|[0-9]+)");
  private static final Pattern NAME = Pattern.compile("-chunk-([0-9]+)(-turns-([0-9]+))?");
  private static final Checker CHECKER =
      new Checker(Strategy.SYNCHRONISATION, Budget.DEFAULT, 1, Checker.strict(Profile.L2, 2));

  /** Groups of two blocks that share the bytes of each chunk. */
  private static ExecutionPlanJson shared() {
    ExecutionPlanJson plan = ExecutionPlanJson.of("allgather", 2, 1, 2, 0);
    for (int g = 0; g < 2; g++) {
      int p = 1 - g;
      for (int part = 0; part < 2; part++) {
        plan.tb(
            g,
            "signal @" + p,
            "wait @" + p,
            "nop",
            "put o%d > o%d@%d %d/2".formatted(g, g, p, part),
            "nop",
            "signal @" + p,
            "wait @" + p);
      }
    }
    return plan;
  }

  /** An all-reduce in packets whose results another block of the gpu unpacks. */
  private static ExecutionPlanJson packetBlocks() {
    ExecutionPlanJson plan = ExecutionPlanJson.of("allreduce", 3, 3, 3, 6).packets();
    plan.with("\"use_double_scratch_buffer\": true");
    for (int g = 0; g < 3; g++) {
      int a = (g + 1) % 3;
      int b = (g + 2) % 3;
      plan.tb(
          g,
          "ppkt i%d i%d > s%d@%d s%d@%d".formatted(a, b, g, a, g, b),
          "respkt i%d s%d s%d > i%d s%d@%d s%d@%d".formatted(g, a, b, g, 3 + g, a, 3 + g, b));
      plan.tb(g, "upkt s%d > i%d".formatted(3 + a, a), "upkt s%d > i%d".formatted(3 + b, b));
    }
    return plan;
  }

  /** Packets of two chunks at once, and blocks that meet. */
  private static ExecutionPlanJson packetBarrier() {
    ExecutionPlanJson plan = ExecutionPlanJson.of("allreduce", 2, 4, 4, 4).packets();
    plan.with("\"use_double_scratch_buffer\": true");
    for (int g = 0; g < 2; g++) {
      int p = 1 - g;
      plan.tb(
          g,
          "ppkt i%d > s0@%d x2".formatted(2 * p, p),
          "barrier 0 2",
          "upkt s2 > i%d x2".formatted(2 * p));
      plan.tb(
          g,
          "repkt i%d s0 > i%d".formatted(2 * g, 2 * g),
          "repkt i%d s1 > i%d".formatted(2 * g + 1, 2 * g + 1),
          "nop",
          "ppkt i%d > s2@%d x2".formatted(2 * g, p),
          "barrier 0 2");
    }
    return plan;
  }

  private static List<ExecutionPlanJson> plans() {
    return List.of(
        ExecutionPlanJson.readAllReduce(),
        ExecutionPlanJson.switchAllReduce("signal", "wait"),
        ExecutionPlanJson.packetAllReduce(),
        ExecutionPlanJson.putAllGather(),
        ExecutionPlanJson.portAllGather(),
        ExecutionPlanJson.semaphoreAllGather(),
        packetBlocks(),
        packetBarrier(),
        ExecutionPlanJson.pipelined(),
        shared());
  }

  @Test
  void rightPlansHold() {
    for (ExecutionPlanJson plan : plans().subList(0, 8)) {
      String text = plan.text();
      ImportedPlan read = read(text);
      assertThat(read.defects()).as(text).isEmpty();
      for (TranslatedPlan program : read.programs()) {
        assertThat(mistakes(text, program))
            .as(text)
            .doesNotContain(Mistake.RACE, Mistake.VALUE, Mistake.DEADLOCK, Mistake.UNWRITTEN);
        assertThat(explored(read, program)).as(text).isEqualTo("holds");
      }
    }
  }

  /** The reply to packets follows their read, in whatever order a block sends and replies. */
  @Test
  void packetsTellThatTheirSourceMayBeOverwritten() {
    ExecutionPlanJson plan = ExecutionPlanJson.of("allreduce", 2, 2, 2, 2).packets();
    plan.with("\"use_double_scratch_buffer\": true");
    plan.tb(0, "ppkt i1 > s0@1", "respkt i0 s0 > i0 s1@1").tb(0, "upkt s1 > i1");
    plan.tb(1, "respkt i1 s0 > i1 s1@0", "ppkt i0 > s0@0").tb(1, "upkt s1 > i0");
    assertThat(agreed(plan)).isEqualTo("holds");
  }

  @Test
  void packetsTellOfNothingElse() {
    // The same, but the packets that are unpacked are no reply.
    ExecutionPlanJson other = ExecutionPlanJson.of("allreduce", 2, 2, 2, 3).packets();
    other.with("\"use_double_scratch_buffer\": true");
    for (int g = 0; g < 2; g++) {
      int p = 1 - g;
      other.tb(
          g,
          "ppkt i%d > s2@%d".formatted(g, p),
          "ppkt i%d > s0@%d".formatted(p, p),
          "respkt i%d s0 > i%d s1@%d".formatted(g, g, p));
      other.tb(g, "upkt s2 > i" + p);
    }
    assertThat(agreed(other)).isEqualTo("race");
    // Two chunks are sent, and the reply to the first one overwrites both.
    ExecutionPlanJson half = ExecutionPlanJson.of("other", 2, 2, 2, 4).packets();
    half.with("\"use_double_scratch_buffer\": true");
    for (int g = 0; g < 2; g++) {
      int p = 1 - g;
      half.tb(g, "ppkt i0 > s0@%d x2".formatted(p), "rppkt s0 > s2@" + p);
      half.tb(g, "upkt s2 > i0", "nop", "copy i0 > i1");
    }
    assertThat(agreed(half)).isEqualTo("race");
  }

  /** The end of a read orders another block after nothing that the reading block did before. */
  @Test
  void packetsTellNothingOfPlainWritesBeforeTheRead() {
    ExecutionPlanJson plan = ExecutionPlanJson.of("other", 2, 2, 2, 2).outOfPlace().packets();
    plan.with("\"use_double_scratch_buffer\": true");
    plan.tb(0, "copy i1 > o0", "nop", "ppkt i0 > s0@1").tb(0, "repkt o0 s1 > i0");
    plan.tb(1, "rppkt s0 > s1@0");
    assertThat(agreed(plan)).isEqualTo("race");
  }

  @Test
  void packetsThatAwaitOneAnotherAreADeadlock() {
    ExecutionPlanJson plan = ExecutionPlanJson.of("allgather", 2, 1, 2, 1).packets();
    for (int g = 0; g < 2; g++) {
      int p = 1 - g;
      plan.tb(g, "upkt s0 > o" + p, "ppkt o%d > s0@%d".formatted(g, p));
    }
    assertThat(agreed(plan)).endsWith("deadlock");
  }

  @Test
  void aPlanWithTooManyPacketsSaysSo() {
    int chunks = 16_384;
    ExecutionPlanJson plan = ExecutionPlanJson.of("allgather", 2, chunks, 2 * chunks, chunks);
    plan.packets();
    for (int g = 0; g < 2; g++) {
      int p = 1 - g;
      String size = " x" + chunks;
      plan.tb(g, "ppkt i0 > s0@" + p + size, "upkt s0 > o" + p * chunks + size);
    }
    assertThat(read(plan.text()).note().orElseThrow()).contains("too many packets to follow");
    assertThat(read(packetBlocks().text()).note()).isEmpty();
  }

  /** Threads that unpack know nothing of those that copy, until a nop. */
  @Test
  void packetsAreNoNops() {
    for (int nops = 0; nops < 2; nops++) {
      ExecutionPlanJson plan = ExecutionPlanJson.of("allgather", 2, 1, 2, 1).packets();
      plan.outOfPlace().with("\"use_double_scratch_buffer\": true");
      for (int g = 0; g < 2; g++) {
        int p = 1 - g;
        List<String> operations = new ArrayList<>();
        operations.add("ppkt i0 > s0@" + p);
        operations.add("copy i0 > o" + g);
        operations.add("copy i0 > o" + p);
        if (nops > 0) {
          operations.add("nop");
        }
        operations.add("upkt s0 > o" + p);
        plan.tb(g, operations.toArray(String[]::new));
      }
      assertThat(agreed(plan)).isEqualTo(nops > 0 ? "holds" : "race");
    }
  }

  /** A relaxed signal at the begin of a launch shows that it has begun, not what was awaited. */
  @Test
  void entrySignalsRelayNothing() {
    for (String signal : List.of("signal", "rlxsignal")) {
      ExecutionPlanJson plan = ExecutionPlanJson.of("other", 3, 1, 2, 0).outOfPlace();
      plan.tb(0, "put i0 > o0@2", "nop", "signal @1");
      plan.tb(1, "wait @0", signal + " @2");
      plan.tb(2, (signal.equals("signal") ? "wait" : "rlxwait") + " @1", "nop", "copy o0 > o1");
      // GPU 0 writes again before GPU 2 has read.
      assertThat(agreed(plan)).isEqualTo("race");
    }
    ExecutionPlanJson begun = ExecutionPlanJson.of("allgather", 2, 1, 2, 0);
    for (int g = 0; g < 2; g++) {
      int p = 1 - g;
      begun.tb(
          g,
          "signal @" + p,
          "rlxwait @" + p,
          "nop",
          "put o%d > o%d@%d".formatted(g, g, p),
          "nop",
          "signal @" + p,
          "wait @" + p);
    }
    assertThat(agreed(begun)).isEqualTo("holds");
  }

  /** The verdict of both. */
  private static String agreed(ExecutionPlanJson plan) {
    Map<String, Integer> verdicts = new TreeMap<>();
    compare(plan.text(), new EnumMap<>(Mistake.class), verdicts);
    assertThat(verdicts).hasSize(1);
    return verdicts.keySet().iterator().next();
  }

  @Test
  void theCheckAgreesWithTheInterpreterOnMistakes() {
    Random random = new Random(29);
    Map<Mistake, Integer> met = new EnumMap<>(Mistake.class);
    Map<String, Integer> verdicts = new TreeMap<>();
    // More draws meet wrong plans in which the two name different mistakes.
    for (int i = 0; i < 150; i++) {
      String text = plans().get(random.nextInt(plans().size())).text();
      for (int k = random.nextInt(3); k > 0; k--) {
        text = changed(text, random);
      }
      compare(text, met, verdicts);
    }
    assertThat(met).containsKeys(Mistake.VALUE, Mistake.RACE);
    assertThat(verdicts).containsKeys("holds", "race", "value");
    assertThat(verdicts.get("holds")).isGreaterThan(20);
  }

  private static ImportedPlan read(String text) {
    return ExecutionTranslation.imported(ExecutionPlanReader.read(text, "plan.json"));
  }

  /** Asserts that both agree on a plan, and counts the mistakes met and the verdicts. */
  static void compare(String text, Map<Mistake, Integer> met, Map<String, Integer> verdicts) {
    ImportedPlan plan;
    try {
      plan = read(text);
    } catch (ProgramException e) {
      verdicts.merge("refused", 1, Integer::sum);
      return;
    }
    if (!plan.defects().isEmpty()) {
      for (MscclDefect defect : plan.defects()) {
        verdicts.merge("defect " + defect.kind().word(), 1, Integer::sum);
        if (defect.kind() == MscclDefect.Kind.DEADLOCK) {
          assertThat(plan.programs())
              .as("%s\n%s", defect, text)
              .anyMatch(program -> mistakes(text, program).contains(Mistake.DEADLOCK));
        }
      }
      return;
    }
    for (TranslatedPlan program : plan.programs()) {
      Set<Mistake> mistakes = mistakes(text, program);
      mistakes.forEach(mistake -> met.merge(mistake, 1, Integer::sum));
      String verdict = explored(plan, program);
      verdicts.merge(verdict, 1, Integer::sum);
      boolean agrees =
          switch (verdict) {
            case "holds" ->
                !mistakes.contains(Mistake.RACE)
                    && !mistakes.contains(Mistake.VALUE)
                    && !mistakes.contains(Mistake.DEADLOCK);
            case "value" ->
                mistakes.contains(Mistake.VALUE) || mistakes.contains(Mistake.UNWRITTEN);
            case "deadlock" -> mistakes.contains(Mistake.DEADLOCK);
            case "race" -> mistakes.contains(Mistake.RACE);
            default -> false;
          };
      assertThat(agrees).as("%s, %s: %s\n%s", verdict, program.calls(), mistakes, text).isTrue();
    }
  }

  /** In some orders, since what races is only noticed by a read that comes too early or late. */
  private static Set<Mistake> mistakes(String text, TranslatedPlan program) {
    Matcher name = NAME.matcher(program.form().name());
    assertThat(name.find()).isTrue();
    int units = Integer.parseInt(name.group(1));
    boolean turns = name.group(3) != null && !name.group(3).equals("1");
    Set<Mistake> mistakes = EnumSet.noneOf(Mistake.class);
    for (int seed = 0; seed < 4; seed++) {
      mistakes.addAll(
          ExecutionPlanInterpreter.mistakes(text, units, turns ? 2 : 0, units, new Random(seed)));
    }
    return mistakes;
  }

  private static String explored(ImportedPlan plan, TranslatedPlan translated) {
    Program program = Program.bind(translated.form(), plan.world(), Map.of());
    return CHECKER
        .explore(program, Topology.parse("1x" + plan.world()))
        .verdict()
        .violation()
        .map(violation -> violation.kind())
        .orElse("holds");
  }

  /** The text without an operation, with two in the other order, or with another value. */
  private static String changed(String text, Random random) {
    List<MatchResult> operations = OPERATION.matcher(text).results().toList();
    MatchResult one = operations.get(random.nextInt(operations.size()));
    int kind = random.nextInt(4);
    if (kind == 0) {
      return text.substring(0, one.start(1)) + "{\"name\": \"nop\"}" + text.substring(one.end(1));
    }
    if (kind == 1) {
      return without(text, one);
    }
    if (kind == 2) {
      int at = operations.indexOf(one);
      if (at + 1 == operations.size() || one.group(2).isEmpty()) {
        return text;
      }
      MatchResult two = operations.get(at + 1);
      return text.substring(0, one.start(1))
          + two.group(1)
          + text.substring(one.end(1), two.start(1))
          + one.group(1)
          + text.substring(two.end(1));
    }
    List<MatchResult> members = new ArrayList<>();
    Matcher matcher = MEMBER.matcher(one.group(1));
    while (matcher.find()) {
      members.add(matcher.toMatchResult());
    }
    MatchResult member = members.get(random.nextInt(members.size()));
    String value =
        switch (member.group(1)) {
          case "name" -> "\"" + other(member.group(2).replace("\"", ""), random) + "\"";
          case "type" -> "\"" + List.of("i", "o", "s").get(random.nextInt(3)) + "\"";
          default -> String.valueOf(random.nextInt(3));
        };
    String replaced =
        one.group(1).substring(0, member.start(2)) + value + one.group(1).substring(member.end(2));
    return text.substring(0, one.start(1)) + replaced + text.substring(one.end(1));
  }

  /** An operation of the same shape. */
  private static String other(String name, Random random) {
    List<List<String>> alike =
        List.of(
            List.of("signal", "rlxsignal", "wait", "rlxwait"),
            List.of("sem_acquire", "sem_release"),
            List.of("pws", "pwsf", "put"),
            List.of("rres", "rre"),
            List.of("respkt", "repkt"));
    return alike.stream()
        .filter(names -> names.contains(name))
        .findFirst()
        .map(names -> names.get(random.nextInt(names.size())))
        .orElse(name);
  }

  private static String without(String text, MatchResult operation) {
    String before = text.substring(0, operation.start());
    String after = text.substring(operation.end());
    // The last operation of a block has no comma, so that of the one before it goes.
    if (operation.group(2).isEmpty()) {
      int comma = before.lastIndexOf(',');
      boolean first = before.endsWith("[\n");
      return first ? text : before.substring(0, comma) + "\n" + after;
    }
    return before + after;
  }
}
