package dev.oriel.sim.search;

import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.ExecutionRecord;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.settings.OrderRemedy;
import dev.oriel.sim.machine.settings.SuppliedOrder;
import dev.oriel.sim.replay.ReplayException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the smallest repair that would have ordered two racing accesses. It repeats the failing
 * execution on machines that each supply one kind of edge, until one of them finds nothing. If none
 * does, it names the first machine that finds something other than that race, and that finding.
 * With a {@link RepairTrial}, an edge is named only if a program that has it was explored and does
 * not have the finding.
 */
final class RepairAdvisor {
  private static final Pattern NUMBER = Pattern.compile("rank=\\d+");

  /** A call of rank code; ranks make it with arguments of their own, and on links of their own. */
  private static final Pattern CALL =
      Pattern.compile("(?:the interface's [a-z ]+ for )?'\\w+\\([^']*\\) (at [^']+)'");

  private static final Pattern BYTE = Pattern.compile("buffer=(\\w+), owner=\\d+, byte=(\\d+)");
  private static final Pattern ONE_LANE =
      Pattern.compile(" at (rank=\\d+, lane=\\S+) \\((read|write)\\) and .* at \\1 \\(");
  private static final Pattern OWN_MEMORY = Pattern.compile("the interface's (fetch|fill) for ");
  private static final Pattern READS = Pattern.compile("the interface's remote read for ");
  private static final Pattern ELEMENTS =
      Pattern.compile(
          "; (.*'[^'\n]* count [^'\n]* step [^'\n]*'.* \\(write\\)) and \\1 are not ordered");
  private static final String PACKETS = "race: packets with one flag";
  private static final Pattern LAUNCHES =
      Pattern.compile("(; they belong to launches \\d+ and \\d+), .*$");

  /** What the facts of a race propose in general; a tried repair says it better. */
  private static final Pattern PROPOSAL =
      Pattern.compile(
          ": (?:let a lane first wait|wait for a signal of that rank first|order them at a launch's end)[^;]*");

  private static final Pattern AND = Pattern.compile("(?<=\\(read\\)|\\(write\\)) and ");

  private RepairAdvisor() {}

  /**
   * The finding that remains with another edge. With another edge, other choices may be open. A
   * script that then does not fit shows nothing, nor does an execution that is stopped before its
   * end.
   */
  private static Optional<Finding> left(SamplingSearch execution, long number, Finding otherwise) {
    try {
      Optional<Finding> found = execution.one(number);
      return execution.cut ? Optional.of(otherwise) : found;
    } catch (ReplayException e) {
      return Optional.of(otherwise);
    }
  }

  /** The story; its finding names the addition to the program, where one is known. */
  static ExecutionRecord advised(
      Simulation simulation,
      ExecutionRecord plain,
      Supplier<SamplingSearch> execution,
      long number,
      Optional<RepairTrial> trial) {
    if (plain.finding().isEmpty()) {
      return plain;
    }
    Finding finding = plain.finding().get();
    Optional<RepairTrial> tried = trial.filter(t -> simulation.guide().isEmpty());
    Optional<RepairEdits> edits =
        tried.map(t -> new RepairEdits(t.form(), plain.places(), simulation.contexts()));
    return plain.withFinding(on(simulation, finding, execution, number, tried, edits));
  }

  /** A plain load that polls a word: an acquiring one instead, if a trial shows that it repairs. */
  private static Optional<String> polling(
      Optional<RepairTrial> trial, Optional<RepairEdits> edits) {
    return trial.isPresent()
            && edits.isPresent()
            && trial.get().repairs(List.of(edits.get().acquiringLoad()))
        ? Optional.of("a plain load polls the word: make the load acquire")
        : Optional.empty();
  }

  /** Two words: a signal that releases, and its await that acquires, where both are relaxed. */
  private static Optional<String> bothEnds(
      Optional<RepairTrial> trial, Optional<RepairEdits> edits) {
    if (trial.isEmpty() || edits.isEmpty()) {
      return Optional.empty();
    }
    return edits.get().bothEnds().entrySet().stream()
        .filter(changed -> trial.get().repairs(List.of(changed.getValue())))
        .map(Map.Entry::getKey)
        .findFirst()
        .map(
            "release and acquire in place of relaxed, where %s is written and where it is read"
                ::formatted);
  }

  /**
   * A signal that comes before the access that it announces, or a wait after its access; a slot
   * that is not counted over launches; a wait for one credit too few. A change of these may
   * deadlock.
   */
  private static Optional<String> moved(Optional<RepairTrial> trial, Optional<RepairEdits> edits) {
    if (trial.isEmpty() || edits.isEmpty()) {
      return Optional.empty();
    }
    return Stream.of(edits.get().moves(), edits.get().counted(), edits.get().laterValues())
        .flatMap(changes -> changes.entrySet().stream())
        .filter(change -> trial.get().repairsWithoutDeadlock(change.getValue()))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /**
   * Store buffering: a strict fence after each change of a word repairs the program, and a fence
   * that is not strict does not.
   */
  private static Optional<String> buffering(
      Finding finding, Optional<RepairTrial> trial, Optional<RepairEdits> edits) {
    boolean may = finding.kind() == Kind.RACE || finding.kind() == Kind.CHECK;
    return may
            && trial.isPresent()
            && edits.isPresent()
            && trial.get().repairs(List.of(edits.get().fencedChanges(true)))
            && !trial.get().repairs(List.of(edits.get().fencedChanges(false)))
        ? Optional.of(
            "store buffering: each lane reads before its own write is visible to the other; put an"
                + " order sc sys between the write and the read on both sides")
        : Optional.empty();
  }

  /** A value that is wrong because requests of a lane had not completed. */
  private static Optional<String> completion(
      Finding finding, Optional<RepairTrial> trial, Optional<RepairEdits> edits) {
    if (finding.kind() != Kind.VALUE || trial.isEmpty() || edits.isEmpty()) {
      return Optional.empty();
    }
    return edits.get().completions().entrySet().stream()
        .filter(added -> trial.get().repairs(added.getValue()))
        .map(added -> "requests had not completed; smallest repair: " + added.getKey())
        .findFirst();
  }

  private static Finding with(SuppliedOrder edge, String facts, String more) {
    SuppliedOrder shown =
        edge.remedy() == OrderRemedy.PLACEMENT && inItsWay(facts, OWN_MEMORY)
            ? new SuppliedOrder(OrderRemedy.COMPLETION, edge.context())
            : edge;
    return repaired(facts, shown.advice() + more);
  }

  private static Finding repaired(String facts, String repair) {
    String why = PROPOSAL.matcher(facts).replaceFirst("");
    return new Finding(Kind.RACE, why + "; smallest repair: " + repair);
  }

  /**
   * The finding that remains with an edge that removes the race but does not repair the program.
   */
  private static String remains(Finding other) {
    String what =
        other.kind() == Kind.RACE
            ? "another remains: " + facts(other).replaceFirst("^race: ", "")
            : "something else remains, %s: %s".formatted(other.kind().word(), other.message());
    return "; with it this race is gone and " + what;
  }

  /** The message of a race without its advice. */
  private static String facts(Finding race) {
    return race.message().substring(0, race.message().lastIndexOf("; "));
  }

  /** Whether both racing accesses there belong to one lane. */
  private static boolean inItsWay(String facts, Pattern where) {
    return ONE_LANE.matcher(facts).find() && where.matcher(facts).find();
  }

  /** Whether no fence helps: a fence does not order accesses to own memory, and orders no get. */
  private static boolean unfenced(String facts) {
    return inItsWay(facts, OWN_MEMORY) || inItsWay(facts, READS);
  }

  /** Whether two races are of the same operations, or of the same byte at whichever rank. */
  private static boolean alike(Finding race, Finding other) {
    return places(other).equals(places(race)) || place(other).equals(place(race));
  }

  private static String place(Finding race) {
    Matcher byteOf = BYTE.matcher(race.message());
    return byteOf.find() ? byteOf.group(1) + " " + byteOf.group(2) : race.message();
  }

  /** Whether what is left of a race is a finding of other accesses. */
  private static boolean another(Finding race, Finding left) {
    return left.kind() != Kind.DEADLOCK && !places(left).equals(places(race));
  }

  /**
   * The places in the program that a finding names, regardless of their order, of the ranks, and of
   * the arguments of rank code.
   */
  private static Set<String> places(Finding finding) {
    String accesses = finding.message().substring(finding.message().indexOf("; ") + 1);
    String places = CALL.matcher(NUMBER.matcher(accesses).replaceAll("rank")).replaceAll("$1");
    int end = places.indexOf(" are not ordered");
    return Set.copyOf(
        AND.splitAsStream(end < 0 ? places : places.substring(0, end)).map(String::strip).toList());
  }

  /**
   * Every edge, from cheap to expensive. Of the edges that wait for calls, those of one context are
   * cheaper.
   */
  private static List<SuppliedOrder> edges(int contexts) {
    List<SuppliedOrder> edges = new ArrayList<>();
    for (OrderRemedy remedy : OrderRemedy.values()) {
      for (int context = 0; remedy.ofContexts() && context < contexts; context++) {
        edges.add(new SuppliedOrder(remedy, context));
      }
      if (remedy != OrderRemedy.NONE && (!remedy.ofContexts() || contexts > 1)) {
        edges.add(new SuppliedOrder(remedy, SuppliedOrder.EVERY));
      }
    }
    return edges;
  }

  /** The finding, with the addition to the program where one is known. */
  private static Finding on(
      Simulation simulation,
      Finding finding,
      Supplier<SamplingSearch> execution,
      long number,
      Optional<RepairTrial> trial,
      Optional<RepairEdits> edits) {
    if (finding.kind() != Kind.RACE) {
      return buffering(finding, trial, edits)
          .or(() -> completion(finding, trial, edits))
          .map(advice ->
              new Finding(finding.kind(), finding.message() + "; " + advice, finding.about()))
          .orElse(finding);
    }
    // An order of memory does not change which of two packets an await takes.
    if (finding.message().startsWith(PACKETS)) {
      return finding;
    }
    String facts = launches(facts(finding), finding, trial);
    if (ELEMENTS.matcher(facts).find()) {
      return new Finding(
          Kind.RACE,
          facts
              + "; elements of one call are in no order: let its step be no smaller than an element;"
              + " of two such calls, a quiet between them");
    }
    Optional<Finding> partly = Optional.empty();
    boolean cut = false;
    boolean refuted = false;
    for (SuppliedOrder edge : edges(simulation.contexts())) {
      if (edge.remedy() == OrderRemedy.ARRANGED && unfenced(facts)) {
        continue;
      }
      SamplingSearch once = execution.get();
      Optional<Finding> left = simulation.with(edge, () -> left(once, number, finding));
      cut |= once.cut;
      if (left.isEmpty()) {
        if (trial.isEmpty() || trial.get().repairs(edits.orElseThrow().of(edge))) {
          return with(edge, facts, "");
        }
        // A program with several mistakes: the edge mends this one.
        if (partly.isEmpty()
            && trial
                .get()
                .removes(
                    finding,
                    edits.orElseThrow().of(edge),
                    found -> places(found).equals(places(finding)))) {
          partly = Optional.of(with(edge, facts, "; with it this race is gone and others remain"));
        }
        refuted = true;
        continue;
      }
      Finding other = left.get();
      boolean helps = !edge.remedy().isFence() && another(finding, other);
      if (helps
          && partly.isEmpty()
          && (trial.isEmpty()
              || trial
                  .get()
                  .removes(
                      finding, edits.orElseThrow().of(edge), found -> alike(finding, found)))) {
        partly = Optional.of(with(edge, facts, remains(other)));
      }
    }
    if (partly.isPresent()) {
      return partly.get();
    }
    Optional<String> change = buffering(finding, trial, edits).or(() -> polling(trial, edits));
    if (change.isPresent()) {
      return new Finding(Kind.RACE, facts + "; " + change.get());
    }
    Optional<String> both = bothEnds(trial, edits).or(() -> moved(trial, edits));
    if (both.isPresent()) {
      return repaired(facts, both.get());
    }
    if (cut) {
      return new Finding(
          Kind.RACE,
          facts
              + "; which edge orders them is not known: with another one the execution was stopped"
              + " before its end; give it more steps, or let its loops end");
    }
    return new Finding(
        Kind.RACE,
        facts
            + (refuted ? "; no single edge that was tried" : "; no change of one word")
            + " orders them: if one of them has a wrong slot or offset, correct it; else send a"
            + " signal with release after one access, and await it with acquire before the other");
  }

  /** The facts of a race of two launches; if one launch alone has such a race, this is named. */
  private static String launches(String facts, Finding race, Optional<RepairTrial> trial) {
    Matcher two = LAUNCHES.matcher(facts);
    return two.find() && trial.isPresent() && trial.get().inOneLaunch(race)
        ? two.replaceFirst(
            "$1; one launch alone has such a race, too: repair that first (--launches 1)")
        : facts;
  }
}
