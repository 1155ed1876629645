package dev.oriel.sim.weak;

import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.domain.program.PacketFormat;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.window.Comparison;
import java.util.Arrays;

/**
 * Reads and writes of words that lanes synchronise on. A read takes the oldest message that
 * satisfies it, which orders least; that a poll might have missed the message is a finding.
 */
final class SyncAccess {
  private final Model model;
  private final Memory memory;
  private final Orders orders;
  private final int[] nothing;

  SyncAccess(Model model, Memory memory, Orders orders) {
    this.model = model;
    this.memory = memory;
    this.orders = orders;
    this.nothing = new int[model.agents];
  }

  /** Stores packets at {@code owner}; a lane's agent or an interface does it. */
  void sendPackets(
      LaneRun run,
      int agent,
      int owner,
      int buffer,
      int offset,
      PacketFormat format,
      byte[] image,
      int[] causal,
      int site) {
    String name = model.form.buffers().get(buffer).name();
    int[] before = causal.clone();
    for (int at = 0; at < image.length; at += format.bytes()) {
      SyncWord word = memory.packet(owner, buffer, offset + at);
      long flag = Memory.flag(format, image, at);
      requireTaken(word, flag, run, causal, name, site);
      byte[] data = Arrays.copyOfRange(image, at, at + format.bytes());
      word.messages.add(
          new Message(
              flag,
              agent,
              orders.known[agent][agent],
              site,
              false,
              run.rank(),
              nothing,
              before,
              data));
    }
  }

  /**
   * Rejects a new value that an await may find in the place of the one that it took: the await
   * would not hold for the new one, and is not known to have been before it.
   */
  private void requireTaken(
      SyncWord word, long next, LaneRun run, int[] causal, String name, int site) {
    for (SyncWord.Read read : word.reads) {
      if (read.tick() > causal[read.agent()] && !read.comparison().test(next, read.value())) {
        throw FindingException.of(
            Finding.OVERWRITE,
            "overwritten before it is known to be seen: word=%s; %s may come before %s; use more slots, a monotonic value, or await the reader's credit"
                .formatted(
                    name,
                    model.describe(run.leader, site),
                    model.describe(read.agent(), read.site())));
      }
    }
  }

  /** The oldest message that the lane may read and that satisfies; -1 if there is none. */
  int find(SyncWord word, LaneRun run, Comparison comparison, long value) {
    int[] clock = orders.known[run.leader];
    for (int i = word.oldest(run.lane, clock); i < word.messages.size(); i++) {
      if (comparison.test(word.messages.get(i).value(), value)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Reads the oldest satisfying message; rejects it if the poll might have seen only a later one.
   */
  Message take(
      LaneRun run, SyncWord word, Comparison comparison, long value, int site, String name) {
    int found = find(word, run, comparison, value);
    Message m = word.messages.get(found);
    boolean kept = true;
    for (int i = found + 1; i < word.messages.size() && kept; i++) {
      kept = comparison.test(word.messages.get(i).value(), value);
    }
    if (!kept) {
      throw FindingException.of(
          Finding.OVERWRITE,
          "awaited value may be gone before it is seen: word=%s, value=%d, later=%d; %s need not wait for %s; use a monotonic value, more slots, or a credit"
              .formatted(
                  name,
                  m.value(),
                  word.last().value(),
                  model.describe(word.last().agent(), word.last().site()),
                  model.describe(run.leader, site)));
    }
    word.views[run.lane] = found;
    int reader = m.data().length > 0 ? run.worker : run.leader;
    int tick = orders.taken(reader, m);
    word.read(found, new SyncWord.Read(reader, tick, site, comparison, value));
    return m;
  }

  /** Orders the lane behind what the message releases, if both scopes reach that far. */
  void observe(LaneRun run, Act.Poll p, Message m, String name) {
    int leader = run.leader;
    int rank = run.rank();
    if (m.agent() < 0) {
      return;
    }
    boolean apart = m.gpu() != rank;
    if (apart && (m.scoped() || p.scope() == Scope.GPU)) {
      throw FindingException.of(
          Finding.SCOPE,
          "scope too narrow: signal=%s, written by %s, awaited by %s; both sides need sys across GPUs"
              .formatted(
                  name,
                  model.describe(m.agent(), m.site()),
                  model.describe(leader, model.site(run.lane, run.at))));
    }
    Clock.join(p.acquire() ? orders.known[leader] : orders.pending[run.lane], m.head());
  }

  /** Gives a slot its next value. */
  void put(
      LaneRun run,
      int agent,
      int owner,
      Act.Word target,
      Change change,
      Term value,
      int[] head,
      boolean scoped,
      int gpu,
      int[] causal,
      int site) {
    long index = run.value(target.index());
    SyncWord word = memory.slot(owner, target.signal(), run.rank(), index);
    Message last = word.last();
    boolean ordered =
        last.agent() < 0
            || last.agent() == agent
            || last.tick() <= orders.known[agent][last.agent()];
    long written = run.value(value);
    if (change == Change.SET && !ordered) {
      throw FindingException.of(
          Finding.WRITERS,
          "two writers of one slot: signal=%s, owner=%d; %s and %s are not ordered; give each its own slot"
              .formatted(
                  model.form.signals().get(target.signal()).name(),
                  owner,
                  model.describe(last.agent(), last.site()),
                  model.describe(agent, site)));
    }
    long next = change == Change.ADD ? last.value() + written : written;
    String name = model.form.signals().get(target.signal()).name();
    requireTaken(word, next, run, causal, name, site);
    if (change == Change.ADD && !ordered) {
      memory.bounds.add("adds of several lanes to one slot: one order; signal=" + name);
    }
    // A chain that began within one GPU releases nothing beyond it.
    boolean chained = change == Change.ADD || last.agent() == agent;
    if (chained && (scoped || !last.scoped())) {
      Clock.join(head, last.head());
    }
    word.messages.add(
        new Message(
            next,
            agent,
            orders.known[agent][agent],
            site,
            scoped,
            gpu,
            head,
            causal.clone(),
            Message.NO_DATA));
  }
}
