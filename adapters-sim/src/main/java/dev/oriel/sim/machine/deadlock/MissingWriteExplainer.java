package dev.oriel.sim.machine.deadlock;

import dev.oriel.domain.window.Comparison;
import dev.oriel.sim.code.InstructionBounds;
import dev.oriel.sim.code.LaneInstructions;
import dev.oriel.sim.code.LaneOpcode;
import dev.oriel.sim.code.LaneOpcode.Request;
import dev.oriel.sim.code.OperandTable;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.RequestLayout;
import dev.oriel.sim.machine.layout.WordLayout;
import dev.oriel.sim.machine.nic.ProxyThreads;
import dev.oriel.sim.machine.report.FindingReporter;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.state.RequestRing;
import dev.oriel.sim.machine.words.SyncWords;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Explains what became of a write of a word: which lanes could have made it, and where it went
 * instead.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
final class MissingWriteExplainer {

  private final MachineModel model;
  private final SyncWords words;
  private final ProxyThreads proxies;
  private final FindingReporter reports;
  private final WriteTargets targets;
  private final RequestRing ring;

  MissingWriteExplainer(
      MachineModel model, SyncWords words, ProxyThreads proxies, FindingReporter reports) {
    this.proxies = proxies;
    this.model = model;
    this.words = words;
    this.reports = reports;
    targets = new WriteTargets(model);
    ring = new RequestRing(model);
  }

  /** Descriptions of a lane's operations, from there on, that may write the word. */
  Set<String> operations(int lane, int word, int from) {
    LaneInstructions code = model.lane(lane);
    int[] ops = code.ops();
    Set<String> texts = new LinkedHashSet<>();
    for (int at = from; at < ops.length; at = InstructionBounds.next(ops, at)) {
      if (targets.mayChange(lane, at, word)) {
        texts.add("'" + reports.operation(lane, at) + "'");
      }
    }
    return texts;
  }

  /** The first instruction that may still follow the one at {@code at}, as loops lead back. */
  int ahead(int lane, int at) {
    int[] ops = model.lane(lane).ops();
    int first = at;
    for (int i = at; i < ops.length; i = InstructionBounds.next(ops, i)) {
      first = ops[i] == LaneOpcode.JUMP ? Math.min(first, ops[i + 1]) : first;
    }
    return first;
  }

  /**
   * Words of the same kind whose last write is the one wanted here. It is a write of the only rank
   * that sends it. If any rank may send it, it is a write of a lane to another place at this rank,
   * or to this place at another one.
   */
  List<String> elsewhere(MachineState s, AwaitedWords.MissingValue need) {
    List<String> found = new ArrayList<>();
    for (int w = 0; w < model.words.count; w++) {
      int agent = beside(w, need) ? words.agent(s, w, words.count(s, w) - 1) : -1;
      int lane = agent < 0 ? -1 : model.agents.laneOf[agent];
      long value = words.last(s, w);
      if (lane >= 0
          && (need.sender() < 0 || model.rank(lane) == need.sender())
          && holds(need.comparison(), value, need.wanted())) {
        found.add("%s, value=%s".formatted(reports.word(w), Long.toUnsignedString(value)));
      }
    }
    return found;
  }

  private boolean beside(int word, AwaitedWords.MissingValue need) {
    WordLayout table = model.words;
    int wanted = need.word();
    return word != wanted
        && table.kindOf[word] == table.kindOf[wanted]
        && (need.sender() >= 0
            || table.owner[word] == table.owner[wanted]
            || table.offset[word] == table.offset[wanted]);
  }

  private static boolean holds(Comparison comparison, long value, long wanted) {
    return OperandTable.compares(comparison.ordinal(), value, wanted);
  }

  /** The pending request that would write the word, and what delays it. */
  String held(MachineState s, int word) {
    for (int q = 0; q < model.agents.queues; q++) {
      int h = ring.header(q);
      int front = s.requests[h + RequestLayout.RETIRED];
      for (int n = front; n < s.requests[h + RequestLayout.POSTED]; n++) {
        int e = ring.entry(q, n);
        boolean changes = s.requests[e + RequestLayout.WORD] == word || writes(s, q, e, word);
        if (changes && s.requests[e + RequestLayout.STAGE] < 2) {
          return "%s posted '%s', which %s"
              .formatted(
                  model.laneName(model.agents.queueLane[q]),
                  text(q, s.requests[e + RequestLayout.SITE]),
                  where(s, q, n, front));
        }
      }
    }
    return "";
  }

  /** The reason why a request of the queue has not completed. */
  private String where(MachineState s, int q, int number, int front) {
    int rank = model.rank(model.agents.queueLane[q]);
    if (proxies.on && number >= proxies.handed(s, q)) {
      return "the proxy of rank=%d %s"
          .formatted(rank, proxies.dead(s, rank) ? "died without handing on" : "has not handed on");
    }
    return "is held in its queue"
        + (number == front ? "" : " after '" + text(q, site(s, q, front)) + "'");
  }

  /** Whether the request will write bytes of the word. */
  private boolean writes(MachineState s, int q, int e, int word) {
    WordLayout table = model.words;
    int kind = table.kindOf[word];
    int request = s.requests[e + RequestLayout.KIND];
    if (kind < table.signals || (request != Request.WRITE && request != Request.WRITE_AND_SIGNAL)) {
      return false;
    }
    int buffer = (kind - table.signals) % model.buffers;
    int size = table.isPacket(model, word) ? model.scan.unit(buffer) : Long.BYTES;
    int from = s.requests[e + RequestLayout.REMOTE_AT];
    return table.owner[word] == model.agents.queuePeer[q]
        && model.base[s.requests[e + RequestLayout.REMOTE]] == buffer
        && from < table.offset[word] + size
        && from + s.requests[e + RequestLayout.BYTES] > table.offset[word];
  }

  /** Descriptions of requests that the rank's proxy never handed on. */
  List<String> unserved(MachineState s, int rank) {
    List<String> texts = new ArrayList<>();
    for (int q = 0; q < model.agents.queues; q++) {
      int posted = s.requests[ring.header(q) + RequestLayout.POSTED];
      boolean own = model.rank(model.agents.queueLane[q]) == rank;
      for (int n = proxies.handed(s, q); own && n < posted; n++) {
        texts.add(
            "'%s' of %s to rank %d"
                .formatted(
                    text(q, site(s, q, n)),
                    model.laneName(model.agents.queueLane[q]),
                    model.agents.queuePeer[q]));
      }
    }
    return texts;
  }

  /** A description of the oldest pending request of the lane's queues; empty if there is none. */
  String first(MachineState s, int lane) {
    int q = waiting(s, lane);
    if (q < 0) {
      return "";
    }
    int e = front(s, q);
    String text = "'" + text(q, s.requests[e + RequestLayout.SITE]) + "'";
    int word = s.requests[e + RequestLayout.WORD];
    return s.requests[e + RequestLayout.KIND] == Request.LOCK
        ? "%s: %s, wanted=eq 0, seen=%s"
            .formatted(text, reports.word(word), Long.toUnsignedString(words.last(s, word)))
        : text;
  }

  /** The lock that the oldest request of the lane's queues waits for; -1 if it waits for none. */
  int awaitedLock(MachineState s, int lane) {
    int q = waiting(s, lane);
    int e = q < 0 ? -1 : front(s, q);
    return e >= 0 && s.requests[e + RequestLayout.KIND] == Request.LOCK
        ? s.requests[e + RequestLayout.WORD]
        : -1;
  }

  /** The first queue of the lane with a pending request; -1 if there is none. */
  private int waiting(MachineState s, int lane) {
    for (int q = 0; q < model.agents.queues; q++) {
      if (model.agents.queueLane[q] == lane && !ring.idle(s, q)) {
        return q;
      }
    }
    return -1;
  }

  /** The place of a queue's oldest pending request. */
  private int front(MachineState s, int q) {
    return ring.entry(q, s.requests[ring.header(q) + RequestLayout.RETIRED]);
  }

  private int site(MachineState s, int q, int number) {
    return s.requests[ring.entry(q, number) + RequestLayout.SITE];
  }

  private String text(int queue, int site) {
    return reports.operation(model.agents.queueLane[queue], site);
  }
}
