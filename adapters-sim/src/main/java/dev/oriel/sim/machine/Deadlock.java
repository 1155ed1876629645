package dev.oriel.sim.machine;

import dev.oriel.sim.code.Opcode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Explains why nothing can happen any more: who waits, for which word and value, who would have
 * made it so, and what became of that: never sent, sent elsewhere, held in a queue, or its sender
 * waits itself.
 */
final class Deadlock {
  private static final int SHOWN = 3;

  private final Model model;
  private final Words words;
  private final Awaits awaits;
  private final Senders senders;
  private final Reports reports;

  Deadlock(Model model, Words words, DataWords dataWords, Reports reports) {
    this.model = model;
    this.words = words;
    this.reports = reports;
    awaits = new Awaits(model, words, dataWords);
    senders = new Senders(model, words, reports);
  }

  /** Every lane that waits, with what it waits for and what came of that. */
  List<Simulation.Wait> waits(State s) {
    List<Simulation.Wait> waits = new ArrayList<>();
    for (int l = 0; l < model.lanes; l++) {
      if (!s.ended[l] && s.at[l] >= 0) {
        int launch = s.launched[model.rank(l)];
        StringBuilder text = new StringBuilder(reports.text(l, s.at[l]));
        missing(s, l, text);
        waits.add(new Simulation.Wait(l, launch, text.toString()));
      }
    }
    return waits;
  }

  Finding explain(State s) {
    StringBuilder text = new StringBuilder("nothing can happen any more:");
    for (int l = 0; l < model.lanes; l++) {
      if (!s.ended[l]) {
        int rank = model.rank(l);
        text.append(' ').append(model.laneName(l)).append(", launch=").append(s.launched[rank]);
        if (s.at[l] < 0) {
          text.append(" was never started, since no lane of its rank ended;");
        } else {
          text.append(" waits in '").append(reports.text(l, s.at[l])).append('\'');
          missing(s, l, text);
          text.append(';');
        }
      }
    }
    text.append(cycle(s));
    return new Finding(
        Finding.Kind.DEADLOCK,
        text.append(" send what is missing, or do not wait for it").toString());
  }

  private void missing(State s, int lane, StringBuilder text) {
    List<Awaits.Need> needs = awaits.of(s, lane);
    for (Awaits.Need need : needs.subList(0, Math.min(SHOWN, needs.size()))) {
      int last = words.count(s, need.word()) - 1;
      boolean sent = words.agent(s, need.word(), last) >= 0;
      text.append(" for ")
          .append(reports.word(need.word()))
          .append(": wanted=")
          .append(need.wish())
          .append(", seen=")
          .append(sent ? Long.toUnsignedString(words.last(s, need.word())) : "nothing")
          .append(", ")
          .append(fate(s, need));
    }
    if (needs.size() > SHOWN) {
      text.append(" and ").append(needs.size() - SHOWN).append(" more");
    }
    if (model.lane(lane).ops()[s.at[lane]] == Opcode.AWAIT_QUEUE) {
      text.append(" for its request ").append(senders.first(s, lane));
    }
  }

  /** What became of the change that is awaited. */
  private String fate(State s, Awaits.Need need) {
    String held = senders.held(s, need.word());
    if (!held.isEmpty()) {
      return held;
    }
    List<String> fates = new ArrayList<>();
    for (int l = 0; l < model.lanes; l++) {
      Set<String> operations = able(l, need);
      if (!operations.isEmpty()) {
        fates.add(
            "%s, which has %s, %s".formatted(model.laneName(l), first(operations), state(s, l)));
      }
    }
    if (fates.isEmpty()) {
      fates.add(
          (need.sender() < 0 ? "no rank has an" : "rank %d has no".formatted(need.sender()))
              + " operation that sends it");
    }
    List<String> elsewhere = senders.elsewhere(s, need);
    if (!elsewhere.isEmpty()) {
      fates.add("it was sent to " + first(elsewhere));
    }
    return String.join(", ", fates.subList(0, Math.min(SHOWN, fates.size())));
  }

  private Set<String> able(int lane, Awaits.Need need) {
    return need.sender() < 0 || need.sender() == model.rank(lane)
        ? senders.operations(lane, need.word())
        : Set.of();
  }

  private static String first(java.util.Collection<String> texts) {
    List<String> shown = texts.stream().limit(SHOWN).toList();
    return String.join(" and ", shown) + (texts.size() > SHOWN ? " and more" : "");
  }

  private String state(State s, int lane) {
    if (s.ended[lane]) {
      return "ended launch=%d without sending it".formatted(s.launched[model.rank(lane)]);
    }
    return s.at[lane] < 0 ? "was never started" : "still waits";
  }

  /** Lanes that wait for one another, each for the next. */
  private String cycle(State s) {
    int[] next = Model.filled(model.lanes, -1);
    for (int l = 0; l < model.lanes; l++) {
      next[l] = s.ended[l] || s.at[l] < 0 ? -1 : waitsFor(s, l);
    }
    for (int start = 0; start < model.lanes; start++) {
      StringBuilder text = new StringBuilder(" cycle: ").append(model.laneName(start));
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

  /** A lane that still waits and could end this one's wait; -1 if there is none. */
  private int waitsFor(State s, int lane) {
    int[] ops = model.lane(lane).ops();
    if (ops[s.at[lane]] == Opcode.AWAIT_LANES) {
      for (int other : model.code.members(ops[s.at[lane] + 1])) {
        if (!s.ended[other]) {
          return other;
        }
      }
    }
    for (Awaits.Need need : awaits.of(s, lane)) {
      for (int other = 0; other < model.lanes; other++) {
        if (!s.ended[other] && !able(other, need).isEmpty()) {
          return other;
        }
      }
    }
    return -1;
  }
}
