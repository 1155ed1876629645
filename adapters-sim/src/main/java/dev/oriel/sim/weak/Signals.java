package dev.oriel.sim.weak;

import dev.oriel.domain.program.Scope;
import java.util.ArrayList;
import java.util.List;

/** Signals and awaits of slots. */
final class Signals {
  private final Model model;
  private final Memory memory;
  private final Orders orders;
  private final SyncAccess words;
  private final Choices choices;

  Signals(Model model, Memory memory, Orders orders, SyncAccess words, Choices choices) {
    this.model = model;
    this.memory = memory;
    this.orders = orders;
    this.words = words;
    this.choices = choices;
  }

  /** Whether the await can end now. */
  boolean satisfiable(LaneRun run, Act.Poll p) {
    long expected = run.value(p.value());
    long index = run.value(p.word().index());
    if (p.sum()) {
      return Sums.satisfiable(
          words(run, p, index), run.lane, orders.known[run.leader], p.comparison(), expected);
    }
    return words(run, p, index).stream()
        .allMatch(word -> words.find(word, run, p.comparison(), expected) >= 0);
  }

  private List<SyncWord> words(LaneRun run, Act.Poll p, long index) {
    List<SyncWord> found = new ArrayList<>();
    for (int source : run.ranks(p.word().ranks())) {
      found.add(memory.slot(run.rank(), p.word().signal(), source, index));
    }
    return found;
  }

  /** Ends the await. */
  void poll(LaneRun run, Act.Poll p, int site) {
    long expected = run.value(p.value());
    long index = run.value(p.word().index());
    String name = model.form.signals().get(p.word().signal()).name();
    List<SyncWord> found = words(run, p, index);
    if (p.sum()) {
      Sums.Found options =
          Sums.minimal(found, run.lane, orders.known[run.leader], p.comparison(), expected);
      if (!options.all()) {
        memory.bounds.add("ways to make up a sum: not all tried; signal=" + name);
      }
      int[] chosen = options.choices().get(choices.choose(options.choices().size()));
      for (int i = 0; i < chosen.length; i++) {
        found.get(i).views[run.lane] = chosen[i];
        Message m = found.get(i).messages.get(chosen[i]);
        orders.taken(run.leader, m);
        words.observe(run, p, m, name);
      }
      return;
    }
    for (SyncWord word : found) {
      words.observe(run, p, words.take(run, word, p.comparison(), expected, site, name), name);
    }
  }

  /** Gives the slot at each named owner its next value. */
  void write(LaneRun run, Act.WriteSlot w, int site) {
    int leader = run.leader;
    int[] head = (w.release() ? orders.known[leader] : orders.fenced[run.lane]).clone();
    for (int owner : run.ranks(w.word().ranks())) {
      words.put(
          run,
          leader,
          owner,
          w.word(),
          w.change(),
          w.value(),
          head.clone(),
          w.scope() == Scope.GPU,
          run.rank(),
          orders.seen[run.leader],
          site);
    }
    if (w.release()) {
      orders.known[leader][leader]++;
    }
  }

  /** What a waiting lane waits for, and what it was sent. */
  String seen(LaneRun run, Act.Poll p) {
    StringBuilder text = new StringBuilder(" for ").append(run.value(p.value()));
    long index = run.value(p.word().index());
    for (int source : run.ranks(p.word().ranks())) {
      Message last = memory.slot(run.rank(), p.word().signal(), source, index).last();
      text.append(", rank ")
          .append(source)
          .append(" sent ")
          .append(last.agent() < 0 ? "nothing" : String.valueOf(last.value()));
    }
    return text.toString();
  }
}
