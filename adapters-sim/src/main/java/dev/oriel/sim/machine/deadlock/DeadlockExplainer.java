package dev.oriel.sim.machine.deadlock;

import dev.oriel.sim.code.LaneOpcode;
import dev.oriel.sim.code.OperandTable;
import dev.oriel.sim.machine.fault.FaultInjector;
import dev.oriel.sim.machine.finding.ExecutionRecord;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.lane.LaneSteps;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.memory.SharedSubsystems;
import dev.oriel.sim.machine.nic.ProxyThreads;
import dev.oriel.sim.machine.report.FindingReporter;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.words.SyncWords;
import dev.oriel.sim.trace.StepFacts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Explains why no agent is enabled: which lanes wait, for which words and values, and which lanes
 * could have written them. It says what became of that write. It was never sent, sent elsewhere, is
 * held in a queue, or its sender waits itself.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
public final class DeadlockExplainer {
  private static final int SHOWN = 3;

  private final MachineModel model;
  private final SyncWords words;
  private final AwaitedWords awaits;
  private final MissingWriteExplainer senders;
  private final FaultInjector faults;
  private final ProxyThreads proxies;
  private final int launches;
  private final FindingReporter reports;

  public DeadlockExplainer(SharedSubsystems shared, ProxyThreads proxies, int launches) {
    model = shared.model;
    words = shared.words;
    faults = shared.faults;
    reports = shared.reports;
    this.proxies = proxies;
    this.launches = launches;
    awaits = new AwaitedWords(model, words, shared.dataWords);
    senders = new MissingWriteExplainer(model, words, proxies, reports);
  }

  /** Every waiting lane, with the words it waits for and what became of them. */
  public List<ExecutionRecord.Wait> waits(MachineState s) {
    List<ExecutionRecord.Wait> waits = new ArrayList<>();
    for (int l = 0; l < model.lanes; l++) {
      if (waits(s, l)) {
        int launch = s.launched[model.rank(l)];
        int operation = model.lane(l).operation(s.at[l]);
        waits.add(new ExecutionRecord.Wait(l, launch, operation, facts(s, l)));
      }
    }
    return waits;
  }

  /** The operation in which the lane waits, with the words it waits for as they are now. */
  private StepFacts facts(MachineState s, int lane) {
    StepFacts facts = reports.facts(s, lane, s.at[lane]).waits();
    for (AwaitedWords.MissingValue need : awaits.of(s, lane)) {
      facts = facts.saw(reports.seen(lane, need.word(), words.last(s, need.word())));
    }
    return facts;
  }

  private boolean waits(MachineState s, int lane) {
    return !s.ended[lane] && s.at[lane] >= 0 && !crashed(s, lane);
  }

  private boolean crashed(MachineState s, int lane) {
    return faults.any && faults.crashed(s, model.rank(lane));
  }

  public Finding explain(MachineState s) {
    StringBuilder text = new StringBuilder("nothing can happen any more:");
    for (int l = 0; l < model.lanes; l++) {
      if (!s.ended[l]) {
        int rank = model.rank(l);
        text.append('\n').append(model.laneName(l)).append(", launch=").append(s.launched[rank]);
        if (crashed(s, l)) {
          text.append(" has stopped, since its rank crashed;");
        } else if (s.at[l] < 0) {
          text.append(" was never started, since no resident lane of its rank ends;");
        } else {
          text.append(" waits in '").append(reports.words(l, s.at[l])).append('\'');
          missing(s, l, text);
          text.append(';');
        }
      }
    }
    for (int r = 0; r < model.world; r++) {
      if (proxies.dead(s, r)) {
        text.append("\nthe proxy of rank=").append(r).append(" has stopped");
        List<String> unserved = senders.unserved(s, r);
        if (!unserved.isEmpty()) {
          text.append(", with these posts unserved: ").append(first(unserved));
        }
        text.append(';');
      }
    }
    String cycle = cycle(s);
    text.append(cycle)
        .append(
            cycle.isEmpty()
                ? "\nsend what is missing, or do not wait for it"
                : "\nlet one of them send before it waits, or wait for a smaller value")
        .append(belowZero(s) ? "; >= and > compare without sign: use reached for counters" : "");
    return new Finding(Finding.Kind.DEADLOCK, text.toString());
  }

  private boolean belowZero(MachineState s) {
    return IntStream.range(0, model.lanes)
        .filter(lane -> waits(s, lane))
        .anyMatch(
            lane -> awaits.of(s, lane).stream().anyMatch(AwaitedWords.MissingValue::belowZero));
  }

  private void missing(MachineState s, int lane, StringBuilder text) {
    List<AwaitedWords.MissingValue> needs = awaits.of(s, lane);
    boolean sum = awaits.sums(s, lane);
    if (sum) {
      needs = sum(s, needs, text);
    }
    for (AwaitedWords.MissingValue need : needs.subList(0, Math.min(SHOWN, needs.size()))) {
      int last = words.count(s, need.word()) - 1;
      boolean sent = words.agent(s, need.word(), last) >= 0;
      text.append(sum ? ", of which " : " for ").append(reports.word(need.word())).append(": ");
      if (!sum) {
        text.append("wanted=").append(need.wish()).append(", ");
      }
      text.append("seen=")
          .append(sent ? Long.toUnsignedString(words.last(s, need.word())) : "nothing")
          .append(", ")
          .append(fate(s, need, model.lane(lane).ops()[s.at[lane]] == LaneOpcode.LOCK));
    }
    if (needs.size() > SHOWN) {
      text.append(" and ").append(needs.size() - SHOWN).append(" more");
    }
    if (model.lane(lane).ops()[s.at[lane]] == LaneOpcode.AWAIT_QUEUE) {
      String first = senders.first(s, lane);
      text.append(
          !first.isEmpty()
              ? " for its request " + first
              : " for requests that are done, of which "
                  + (proxies.dead(s, model.rank(lane))
                      ? "its proxy crashed before it reported completion"
                      : "a completion was lost"));
      int lock = senders.awaitedLock(s, lane);
      if (lock >= 0) {
        text.append(", ").append(held(s, lock));
      }
    }
  }

  /**
   * Reports the sum and its required value; returns the words that hold least, which are reported.
   */
  private List<AwaitedWords.MissingValue> sum(
      MachineState s, List<AwaitedWords.MissingValue> needs, StringBuilder text) {
    long[] held = needs.stream().mapToLong(need -> words.last(s, need.word())).toArray();
    text.append(" for a sum: wanted=")
        .append(needs.getFirst().wish())
        .append(", seen=")
        .append(Long.toUnsignedString(Arrays.stream(held).sum()));
    long least =
        Arrays.stream(held).reduce((a, b) -> Long.compareUnsigned(a, b) < 0 ? a : b).orElse(0);
    return needs.stream().filter(need -> words.last(s, need.word()) == least).toList();
  }

  /** The holder of the lock, and what keeps it from unlocking. */
  private String held(MachineState s, int lock) {
    int holder = holder(s, lock);
    return holder < 0
        ? "no lane holds it"
        : "held by %s, which %s".formatted(model.laneName(holder), state(s, holder, "unlocking"));
  }

  /** The lane that wrote the word last; -1 if none did, or a caller. */
  private int holder(MachineState s, int lock) {
    int agent = words.agent(s, lock, words.count(s, lock) - 1);
    return agent < 0 ? -1 : model.agents.laneOf[agent];
  }

  /** The lock that the lane waits for, its own or over a link; -1 if it waits for none. */
  private int awaitedLock(MachineState s, int lane) {
    int op = model.lane(lane).ops()[s.at[lane]];
    return op == LaneOpcode.LOCK
        ? awaits.of(s, lane).getFirst().word()
        : op == LaneOpcode.AWAIT_QUEUE ? senders.awaitedLock(s, lane) : -1;
  }

  /**
   * The outcome of the awaited write: sent elsewhere, held in a queue, or not sent yet, and by
   * which lanes.
   */
  private String fate(MachineState s, AwaitedWords.MissingValue need, boolean lock) {
    if (lock) {
      return held(s, need.word());
    }
    String held = senders.held(s, need.word());
    if (!held.isEmpty()) {
      return held;
    }
    List<String> fates = new ArrayList<>();
    String swallowed = swallowed(s, need);
    if (!swallowed.isEmpty()) {
      fates.add(swallowed);
    }
    for (int l = 0; l < model.lanes; l++) {
      Set<String> operations = able(l, need, 0);
      if (!operations.isEmpty()) {
        fates.add(
            "%s, which has %s, %s"
                .formatted(model.laneName(l), first(operations), sender(s, l, need)));
      }
    }
    boolean nobody = fates.isEmpty();
    if (nobody) {
      fates.add(
          (need.sender() < 0 ? "no rank has an" : "rank %d has no".formatted(need.sender()))
              + " operation that sends it");
    }
    List<String> elsewhere = nobody || need.sender() >= 0 ? senders.elsewhere(s, need) : List.of();
    if (!elsewhere.isEmpty()) {
      fates.add("it was sent to " + first(elsewhere));
    }
    return String.join(", ", fates.subList(0, Math.min(SHOWN, fates.size())));
  }

  /** The newest value that ended the wait and that a later write replaced; empty if none did. */
  private String swallowed(MachineState s, AwaitedWords.MissingValue need) {
    int last = words.count(s, need.word()) - 1;
    for (int i = last - 1; i >= 0; i--) {
      long value = words.value(s, need.word(), i);
      int agent = words.agent(s, need.word(), i + 1);
      boolean written = words.agent(s, need.word(), i) >= 0 && agent >= 0;
      if (written && OperandTable.compares(need.comparison().ordinal(), value, need.wanted())) {
        return "value=%s came, but %s overwrote it with %s (later in coherence order) before this lane saw it"
            .formatted(
                Long.toUnsignedString(value),
                model.laneName(model.agents.laneOf[agent]),
                Long.toUnsignedString(words.value(s, need.word(), i + 1)));
      }
    }
    return "";
  }

  private String sender(MachineState s, int lane, AwaitedWords.MissingValue need) {
    boolean past = waits(s, lane) && ahead(s, lane, need).isEmpty();
    return past ? "is past that and waits" : state(s, lane, "sending");
  }

  private Set<String> ahead(MachineState s, int lane, AwaitedWords.MissingValue need) {
    return able(lane, need, senders.ahead(lane, s.at[lane]));
  }

  private Set<String> able(int lane, AwaitedWords.MissingValue need, int from) {
    return need.sender() < 0 || need.sender() == model.rank(lane)
        ? senders.operations(lane, need.word(), from)
        : Set.of();
  }

  private static String first(java.util.Collection<String> texts) {
    List<String> shown = texts.stream().limit(SHOWN).toList();
    return String.join(" and ", shown) + (texts.size() > SHOWN ? " and more" : "");
  }

  private String state(MachineState s, int lane, String doing) {
    int launch = Math.min(s.launched[model.rank(lane)], launches);
    if (crashed(s, lane)) {
      return "crashed %s launch=%d".formatted(s.ended[lane] ? "after" : "in", launch);
    }
    if (s.ended[lane]) {
      boolean gaveUp = s.failure[lane] == LaneSteps.ABANDONED;
      // A rank that gave up launches no more: it is past its last launch, not in its own.
      String when = s.aborted[model.rank(lane)] ? "" : " launch=" + launch;
      return "%s%s without %s it".formatted(gaveUp ? "gave up" : "ended", when, doing);
    }
    return s.at[lane] < 0 ? "was never started" : "still waits";
  }

  /** A cycle of lanes, each waiting for the next. */
  private String cycle(MachineState s) {
    int[] next = MachineModel.filled(model.lanes, -1);
    for (int l = 0; l < model.lanes; l++) {
      next[l] = waits(s, l) ? waitsFor(s, l) : -1;
    }
    for (int start = 0; start < model.lanes; start++) {
      StringBuilder text = new StringBuilder("\ncycle: ").append(model.laneName(start));
      int at = next[start];
      for (int i = 0; i < model.lanes && at >= 0; i++) {
        text.append(" waits for ").append(model.laneName(at));
        if (at == start) {
          return text.append(';').toString();
        }
        at = next[at];
      }
    }
    return "";
  }

  /** A lane that could end this one's wait, or holds the lock; -1 if there is none. */
  private int waitsFor(MachineState s, int lane) {
    int[] ops = model.lane(lane).ops();
    if (ops[s.at[lane]] == LaneOpcode.AWAIT_LANES) {
      for (int other : model.code.members(ops[s.at[lane] + 1])) {
        if (waits(s, other)) {
          return other;
        }
      }
    }
    int lock = awaitedLock(s, lane);
    if (lock >= 0) {
      return holder(s, lock);
    }
    for (AwaitedWords.MissingValue need : awaits.of(s, lane)) {
      for (int other = 0; other < model.lanes; other++) {
        if (waits(s, other) && !ahead(s, other, need).isEmpty()) {
          return other;
        }
      }
    }
    return -1;
  }
}
