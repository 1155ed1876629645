package dev.oriel.it.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.msccl.FlagOrder;
import dev.oriel.domain.msccl.MscclDefect;
import dev.oriel.domain.msccl.MscclDefects;
import dev.oriel.domain.msccl.MscclPlan;
import dev.oriel.domain.msccl.MscclReader;
import dev.oriel.domain.msccl.MscclTranslation;
import dev.oriel.domain.msccl.MscclVariant;
import dev.oriel.domain.msccl.PlanXml;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.topology.Topology;
import dev.oriel.it.check.PlanInterpreter.Mistake;
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
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Plans that are right, and many with one or two wrong attributes: the check and {@link
 * PlanInterpreter} must agree on each.
 */
class PlanOracleTest {
  private static final Pattern ATTRIBUTE =
      Pattern.compile("(type|srcbuf|srcoff|dstbuf|dstoff|cnt|depid|deps|hasdep|chan)=\"[^\"]*\"");
  private static final Checker CHECKER =
      new Checker(Strategy.SYNCHRONISATION, Budget.DEFAULT, 1, Checker.strict(Profile.L2, 2));

  /**
   * An all-reduce of two gpus that lets blocks of the same gpu wait for each other. Larger messages
   * would split its transfers: see {@link PlanCheckTest#aPlanMayDeadlockForLargeMessagesAlone}.
   */
  private static PlanXml pipeline() {
    PlanXml plan = PlanXml.of("allreduce", 2, 4).with("maxBytes=\"4194304\"");
    for (int g = 0; g < 2; g++) {
      plan.gpu(g, 4, 4, 4)
          .tb(1 - g, 1 - g, 0, "s i0 x2", "s i2 x2", "r > s0 x2 announced", "r > s2 x2 announced")
          .tb(-1, -1, 0, "re s0 > o0 x2 after 0.2 announced", "re s2 > o2 x2 after 0.3")
          .tb(-1, -1, 0, "nop after 1.0", "cpy o0 > s0 after 0.3");
    }
    return plan;
  }

  /** Two blocks of each gpu between the same peers, each on a channel of its own. */
  private static PlanXml twoChannels() {
    PlanXml plan = PlanXml.of("allgather", 2, 4);
    for (int g = 0; g < 2; g++) {
      plan.gpu(g, 2, 4, 0);
      for (int k = 0; k < 2; k++) {
        plan.tb(1 - g, 1 - g, k, "s i" + k, "r > o" + (2 - 2 * g + k));
      }
    }
    return plan;
  }

  private static PlanXml allToAll() {
    PlanXml plan = PlanXml.of("alltoall", 3, 3).outOfPlace();
    for (int g = 0; g < 3; g++) {
      plan.gpu(g, 3, 3, 0).tb(-1, -1, 0, "cpy i%d > o%d".formatted(g, g));
      for (int p = 0; p < 3; p++) {
        if (p != g) {
          plan.tb(p, p, 0, "s i" + p, "r > o" + p);
        }
      }
    }
    return plan;
  }

  private static PlanXml reduceScatter() {
    PlanXml plan = PlanXml.of("reduce_scatter", 2, 4).inBothPlaces();
    for (int g = 0; g < 2; g++) {
      int own = 2 * g;
      plan.gpu(g, 4, 2, 0)
          .tb(1 - g, 1 - g, 0, "s i%d x2".formatted(2 - own), "rrc i%d > o0 x2".formatted(own));
    }
    return plan;
  }

  private static List<PlanXml> plans() {
    return List.of(
        PlanXml.ringAllGather(2),
        PlanXml.ringAllGather(3),
        PlanXml.ringAllReduce(2),
        PlanXml.ringAllReduce(3),
        PlanXml.exchangeAllReduce(),
        pipeline(),
        twoChannels(),
        allToAll(),
        reduceScatter());
  }

  @Test
  void plansOfEachProtocolHold() {
    for (String protocol : List.of("Simple", "LL", "LL128")) {
      for (PlanXml plan : plans()) {
        String text = plan.protocol(protocol).text();
        MscclPlan read = MscclReader.read(text, "plan.xml");
        assertThat(MscclDefects.of(read)).as(text).isEmpty();
        for (MscclVariant variant : MscclVariant.of(read)) {
          assertThat(explored(read, variant, FlagOrder.INTENDED))
              .as(text + variant)
              .isEqualTo("holds");
          assertThat(mistakes(text, variant, FlagOrder.INTENDED)).as(text + variant).isEmpty();
        }
      }
    }
  }

  @Test
  void theCheckAgreesWithTheInterpreterOnMistakes() {
    Random random = new Random(20);
    Map<Mistake, Integer> met = new EnumMap<>(Mistake.class);
    int right = 0;
    for (int i = 0; i < Thorough.count(400, 8_000); i++) {
      PlanXml base = plans().get(random.nextInt(plans().size()));
      String protocol = List.of("Simple", "LL", "LL128").get(random.nextInt(3));
      String text = base.protocol(protocol).text();
      for (int k = random.nextInt(2); k >= 0; k--) {
        text = changed(text, random);
      }
      // The flags of half of the plans order no memory.
      Set<Mistake> seen = compare(text, i % 2 == 0 ? FlagOrder.INTENDED : FlagOrder.AS_WRITTEN);
      seen.forEach(mistake -> met.merge(mistake, 1, Integer::sum));
      right += seen.isEmpty() ? 1 : 0;
    }
    // Otherwise most changes were refused, or always made the same mistake.
    assertThat(met)
        .containsKeys(Mistake.DEADLOCK, Mistake.VALUE, Mistake.RACE, Mistake.UNWRITTEN)
        .hasSizeGreaterThanOrEqualTo(Thorough.count(6, Mistake.values().length));
    assertThat(right).isGreaterThan(20);
  }

  private static Set<Mistake> compare(String text, FlagOrder flags) {
    MscclPlan plan;
    try {
      plan = MscclReader.read(text, "plan.xml");
    } catch (ProgramException e) {
      return Set.of();
    }
    List<MscclDefect> defects = MscclDefects.of(plan);
    Set<Mistake> all = EnumSet.noneOf(Mistake.class);
    for (MscclVariant variant : MscclVariant.of(plan)) {
      Set<Mistake> mistakes = mistakes(text, variant, flags);
      all.addAll(mistakes);
      if (defects.isEmpty()) {
        String verdict = explored(plan, variant, flags);
        boolean agrees =
            switch (verdict) {
              case "holds" -> mistakes.isEmpty();
              case "value" -> mistakes.contains(Mistake.VALUE);
              case "deadlock" -> mistakes.contains(Mistake.DEADLOCK);
              case "race" -> mistakes.contains(Mistake.RACE);
              default -> false;
            };
        assertThat(agrees)
            .as("%s, %s, %s: %s\n%s", verdict, variant, flags, mistakes, text)
            .isTrue();
      }
    }
    if (!defects.isEmpty()) {
      assertThat(defects)
          .as("%s\n%s", all, text)
          .anyMatch(defect ->
              switch (defect.kind()) {
                case CONNECTION -> all.contains(Mistake.SHARED);
                case UNMATCHED ->
                    all.contains(Mistake.LEFTOVER)
                        || all.contains(Mistake.DEADLOCK)
                        || all.contains(Mistake.SIZES);
                case DEADLOCK -> all.contains(Mistake.DEADLOCK);
                case UNWRITTEN -> all.contains(Mistake.UNWRITTEN) || all.contains(Mistake.RACE);
                case OVERLAP -> all.contains(Mistake.OVERLAP);
                case INPUT, BARRIER -> true;
              });
    }
    return all;
  }

  /** In some orders, since what races is only noticed by a read that comes too early or late. */
  private static Set<Mistake> mistakes(String text, MscclVariant variant, FlagOrder flags) {
    Set<Mistake> mistakes = EnumSet.noneOf(Mistake.class);
    for (int seed = 0; seed < 3; seed++) {
      mistakes.addAll(
          PlanInterpreter.mistakes(
              text,
              variant.inPlace(),
              flags == FlagOrder.AS_WRITTEN,
              variant.mostChunks(),
              new Random(seed)));
    }
    return mistakes;
  }

  private static String explored(MscclPlan plan, MscclVariant variant, FlagOrder flags) {
    Program program =
        Program.bind(MscclTranslation.of(plan, variant, flags).form(), plan.world(), Map.of());
    return CHECKER
        .explore(program, Topology.parse("1x" + plan.world()))
        .verdict()
        .violation()
        .map(violation -> violation.kind())
        .orElse("holds");
  }

  /** The text with another value for one attribute of a block or a step. */
  static String changed(String text, Random random) {
    List<MatchResult> all = new ArrayList<>();
    Matcher matcher = ATTRIBUTE.matcher(text);
    while (matcher.find()) {
      all.add(matcher.toMatchResult());
    }
    // Each name as often as any other, though blocks have fewer attributes than steps.
    List<String> names = all.stream().map(match -> match.group(1)).distinct().toList();
    String name = names.get(random.nextInt(names.size()));
    List<MatchResult> named = all.stream().filter(match -> match.group(1).equals(name)).toList();
    MatchResult one = named.get(random.nextInt(named.size()));
    String value =
        switch (name) {
          case "type" ->
              List.of("s", "r", "rcs", "rrs", "rrc", "rrcs", "cpy", "re").get(random.nextInt(8));
          case "srcbuf", "dstbuf" -> List.of("i", "o", "s").get(random.nextInt(3));
          case "depid", "deps" -> String.valueOf(random.nextInt(4) - 1);
          case "hasdep" -> String.valueOf(random.nextInt(2));
          case "cnt" -> String.valueOf(1 + random.nextInt(3));
          default -> String.valueOf(random.nextInt(4));
        };
    return text.substring(0, one.start())
        + "%s=\"%s\"".formatted(name, value)
        + text.substring(one.end());
  }
}
