package dev.oriel.sim.machine.report;

import dev.oriel.sim.code.LaneInstructions;
import dev.oriel.sim.code.LaneOpcode;
import dev.oriel.sim.code.OperandTable;
import dev.oriel.sim.machine.driver.LaneDriver;
import dev.oriel.sim.machine.finding.ExecutionRecorder;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.fingerprint.HashMixer;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.WordLayout;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.trace.StepFacts;
import dev.oriel.sim.trace.TraceEventKind;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reports events and findings. A search records nothing, and a finding then holds its kind only.
 * For a full report, the failed execution runs again with a {@link ExecutionRecorder}.
 */
public final class FindingReporter {
  private static final String AGAIN = "run it again with a recorder";

  private final @Nullable ExecutionRecorder recorder;
  private final @Nullable LongConsumer outcomes;
  private final @Nullable LaneDriver guide;
  private final MachineModel model;
  private final StepDescriber describer;

  public FindingReporter(
      MachineModel model,
      @Nullable ExecutionRecorder recorder,
      @Nullable LongConsumer outcomes,
      @Nullable LaneDriver guide) {
    this.model = model;
    describer = new StepDescriber(model);
    this.recorder = recorder;
    this.outcomes = outcomes;
    this.guide = guide;
  }

  /** A description of the lane's step at that place; for a guided lane, of its call. */
  public String text(int lane, int at) {
    String step = model.lane(lane).text(at);
    if (guide == null || model.lane(lane).ops()[at] == LaneOpcode.END) {
      return step;
    }
    String call = guide.call(lane);
    String verb = step.substring(0, Math.max(step.indexOf(' '), 0));
    int op = model.lane(lane).ops()[at];
    boolean plain = op == LaneOpcode.READ_SLOT || op == LaneOpcode.COPY || call.startsWith(verb);
    return plain ? call : verb + " " + call;
  }

  /** The lane's step at that place in the program's words, with values. */
  public StepFacts facts(MachineState s, int lane, int at) {
    return guide == null
        ? describer.step(s, lane, at)
        : describer.call(s, lane, at, text(lane, at));
  }

  /** The operation at that place in the program's words; for a guided lane, its current call. */
  public String words(int lane, int at) {
    return guide == null ? describer.words(lane, at) : text(lane, at);
  }

  /** The same for any place of the lane; a guided lane's calls are not known in advance. */
  public String operation(int lane, int at) {
    return guide == null ? describer.words(lane, at) : model.lane(lane).text(at);
  }

  /** Reports that the caller of the rank reads its outputs; collectors of outcomes get a digest. */
  public void outputs(MachineState s, int rank) {
    if (outcomes == null) {
      return;
    }
    long hash = HashMixer.mix(HashMixer.spread(rank), s.launched[rank]);
    for (int b = 0; b < model.buffers; b++) {
      int at = rank * model.buffers + b;
      for (int i = 0; model.space(b).taken() && i < model.bytes[at]; i++) {
        hash = HashMixer.mix(hash, s.bytes[model.firstByte[at] + i]);
      }
    }
    outcomes.accept(hash);
  }

  public void step(MachineState s, int lane, int at) {
    if (recorder != null) {
      LaneInstructions code = model.lane(lane);
      String text = text(lane, at);
      int launch = s.launched[code.rank()];
      String who = "'%s' at rank=%d, lane=%s".formatted(words(lane, at), code.rank(), code.label());
      StepFacts facts = facts(s, lane, at);
      recorder.event(lane, launch, ExecutionRecorder.Kind.STEP, text, who, -1, facts);
      recorder.serves(lane, code.operation(at));
    }
  }

  /** Makes what lanes did in the last so many steps the subject of the finding. */
  public void round(int steps) {
    if (recorder != null) {
      for (int event = Math.max(0, recorder.now() - steps + 1); event <= recorder.now(); event++) {
        if (recorder.events().get(event).actor() < model.lanes) {
          recorder.involved.add(event);
        }
      }
    }
  }

  /** Reports a caller's step; with the {@code last} one it launches no more. */
  public void caller(MachineState s, int rank, boolean last) {
    if (recorder != null) {
      int launch = s.launched[rank];
      String text = launch == 0 ? "prepare, launch" : "read outputs, prepare, launch";
      recorder.event(
          model.lanes + rank,
          launch,
          ExecutionRecorder.Kind.BEGIN,
          text,
          "the caller at rank=%d %s".formatted(rank, moment(launch)),
          -1,
          StepFacts.of(TraceEventKind.BEGIN, boundary(launch, last)));
    }
  }

  /** When a caller acts that has ended so many launches. */
  private static String moment(int ended) {
    return ended == 0
        ? "before launch 1"
        : "between launches %d and %d".formatted(ended, ended + 1);
  }

  private static String boundary(int launch, boolean last) {
    String ended = launch == 0 ? "" : "reads the outputs of launch " + launch;
    String next = last ? "" : "prepares and starts launch " + (launch + 1);
    return ended + (ended.isEmpty() || next.isEmpty() ? "" : ", ") + next;
  }

  public void posted(MachineState s, int queue, int number, int site) {
    if (recorder != null) {
      recorder.request(queue, number);
      int lane = model.agents.queueLane[queue];
      recorder.posted(queue, number, text(lane, site), s.launched[model.rank(lane)]);
    }
  }

  /** Reports that a proxy hands the request on. */
  public void handed(MachineState s, int queue, int number, int site) {
    if (recorder != null) {
      int lane = model.agents.queueLane[queue];
      proxy(s, queue, "proxy hands on " + text(lane, site), recorder.lastOf(queue, number));
      recorder.request(queue, number);
    }
  }

  /** Reports that a proxy reports the requests up to there as done. */
  public void reported(MachineState s, int queue, int completed) {
    if (recorder != null) {
      int cause = recorder.lastOf(queue, completed - 1);
      proxy(s, queue, "proxy reports %d as done".formatted(completed), cause);
    }
  }

  private void proxy(MachineState s, int queue, String text, int cause) {
    if (recorder != null) {
      int rank = model.rank(model.agents.queueLane[queue]);
      String who = "'%s' at rank=%d".formatted(text, rank);
      int actor = model.lanes + model.world + queue;
      StepFacts facts = StepFacts.of(TraceEventKind.STEP, text);
      recorder.event(actor, s.launched[rank], ExecutionRecorder.Kind.STEP, text, who, cause, facts);
    }
  }

  /** The finding for an initiator or a proxy that violates the rules of a ring's slots. */
  public Finding descriptor(int queue, String what) {
    return new Finding(
        Kind.RACE,
        "race: a descriptor %s: %s, peer=%d, queue=%d; publish with a release after filling it, and wait for room"
            .formatted(
                what,
                model.laneName(model.agents.queueLane[queue]),
                model.agents.queuePeer[queue],
                model.agents.queueNumber[queue]));
  }

  public void stage(int queue, int number, int stage, int site, boolean reads) {
    if (recorder == null) {
      return;
    }
    int lane = model.agents.queueLane[queue];
    LaneInstructions code = model.lane(lane);
    ExecutionRecorder.Kind kind =
        switch (stage) {
          case 1 -> ExecutionRecorder.Kind.FETCH;
          case 2 -> reads ? ExecutionRecorder.Kind.READ : ExecutionRecorder.Kind.PLACE;
          default -> ExecutionRecorder.Kind.FILL;
        };
    String verb =
        switch (kind) {
          case FETCH -> "fetch for ";
          case PLACE -> "write for ";
          case READ -> "remote read for ";
          default -> "fill for ";
        };
    String posted = recorder.textOf(queue, number);
    String who =
        "the interface's %s'%s' at rank=%d, lane=%s"
            .formatted(
                verb,
                guide == null ? words(lane, site) : posted(posted),
                code.rank(),
                code.label());
    int launch = recorder.launchOf(queue, number);
    int cause = recorder.lastOf(queue, number);
    String text = verb + posted;
    StepFacts post = recorder.factsOf(queue, number);
    StepFacts facts = post.as(pictured(kind), verb + posted(post.resolved()));
    recorder.event(model.lanes + model.world + queue, launch, kind, text, who, cause, facts);
    recorder.serves(lane, code.operation(site));
    recorder.request(queue, number);
  }

  private static String posted(String text) {
    return text.startsWith("post ") ? text.substring("post ".length()) : text;
  }

  private static TraceEventKind pictured(ExecutionRecorder.Kind kind) {
    return switch (kind) {
      case FETCH -> TraceEventKind.FETCH;
      case PLACE -> TraceEventKind.PLACE;
      case READ -> TraceEventKind.READ;
      default -> TraceEventKind.COMPLETE;
    };
  }

  /** Reports that an atomic which the lane issued there takes effect. */
  public void performs(MachineState s, int lane, int at) {
    if (recorder != null) {
      LaneInstructions code = model.lane(lane);
      String text = "performs " + code.text(at);
      String who = "'%s' at rank=%d, lane=%s".formatted(words(lane, at), code.rank(), code.label());
      int launch = s.launched[code.rank()];
      StepFacts step = facts(s, lane, at);
      StepFacts facts = step.as(TraceEventKind.WRITE, "takes effect: " + step.resolved());
      recorder.event(lane, launch, ExecutionRecorder.Kind.STEP, text, who, -1, facts);
      recorder.serves(lane, code.operation(at));
    }
  }

  public void gaveUp(MachineState s, int lane) {
    if (recorder != null) {
      int launch = s.launched[model.rank(lane)];
      StepFacts facts = StepFacts.of(TraceEventKind.TIMEOUT, "gives up");
      recorder.event(lane, launch, ExecutionRecorder.Kind.GIVE_UP, "gives up", "", -1, facts);
    }
  }

  public void access(
      MachineState s,
      int component,
      int rank,
      int buffer,
      int from,
      int length,
      boolean write,
      boolean strong) {
    if (recorder != null) {
      int tick = s.clocks.at(component, component);
      recorder.access(component, tick, rank, buffer, from, length, write, strong);
    }
  }

  public void written(int word, int number, int newest, boolean adds) {
    if (recorder != null) {
      recorder.wrote(word, number, newest, adds);
    }
  }

  /** Whether steps are recorded: only then is it worth finding out what they read. */
  public boolean records() {
    return recorder != null;
  }

  /** Reports that the lane's step read the word's message of that number, with that value. */
  public void taken(int lane, int word, int number, long value) {
    if (recorder != null) {
      recorder.took(lane, word, number);
      recorder.saw(seen(lane, word, value));
    }
  }

  /** The word as the lane's program writes it, with that value. */
  public StepFacts.NamedValue seen(int lane, int word, long value) {
    return new StepFacts.NamedValue(describer.word(word, model.rank(lane)), value);
  }

  /** Reports the value that the lane's step read from memory. */
  public void loaded(int buffer, long offset, long value) {
    if (recorder != null) {
      String word = "%s[%d]".formatted(model.buffer(buffer), offset);
      recorder.saw(new StepFacts.NamedValue(word, value));
    }
  }

  /** Reports that the byte at that offset of the rank's buffer breaks that post-condition. */
  public void wrongByte(int rank, int ensure, int buffer, long offset) {
    if (recorder != null) {
      recorder.wrong(rank, ensure, model.base[buffer], offset);
    }
  }

  public void missedAddend(int lane, int slot) {
    if (recorder != null) {
      recorder.missedAddend(lane, slot);
    }
  }

  /**
   * A slot of the second component's rank that the first one's last await left out of its sum; -1
   * if there is none.
   */
  private int missingSlot(ExecutionRecorder recorder, int waiter, int other) {
    WordLayout table = model.words;
    int lane = model.agents.interfaceOf[waiter] < 0 ? model.agents.laneOf[waiter] : -1;
    int peer = model.agents.laneOf[other];
    for (int w = 0; lane >= 0 && peer >= 0 && w < table.count; w++) {
      boolean slot = table.kindOf[w] < table.signals && table.owner[w] == model.rank(lane);
      if (slot
          && table.offset[w] / table.slots(table.owner[w], table.kindOf[w]) == model.rank(peer)
          && recorder.missesAddend(lane, w)) {
        return w;
      }
    }
    return -1;
  }

  public Finding race(ConflictingAccess found, int component, int rank, int buffer, boolean write) {
    String about = accesses(buffer, found.wrote(), write);
    if (recorder == null) {
      return new Finding(Kind.RACE, AGAIN, about);
    }
    ExecutionRecorder.Access other =
        recorder.find(found.component(), found.tick(), rank, buffer, found.octet(), found.wrote());
    recorder.involved.add(other.event());
    recorder.involved.add(recorder.now());
    int slot = missingSlot(recorder, component, found.component());
    slot = slot < 0 ? missingSlot(recorder, found.component(), component) : slot;
    if (slot >= 0) {
      return new Finding(
          Kind.SUM,
          "awaited sum was reached without the signal of one rank: %s; buffer=%s, owner=%d, byte=%d; %s %s and %s %s are not ordered; await a larger sum, wait for each source separately, or let no rank signal twice before all have signalled"
              .formatted(
                  word(slot),
                  model.buffer(buffer),
                  rank,
                  found.octet(),
                  other.text(),
                  other.write() ? "(write)" : "(read)",
                  recorder.current,
                  write ? "(write)" : "(read)"));
    }
    return new Finding(
        Kind.RACE,
        "race: buffer=%s, owner=%d, byte=%d; %s %s and %s %s are not ordered; %sput a release and an acquire, or a completion wait, between them"
            .formatted(
                model.buffer(buffer),
                rank,
                found.octet(),
                other.text(),
                other.write() ? "(write)" : "(read)",
                recorder.current,
                write ? "(write)" : "(read)",
                apart(recorder, other)),
        about);
  }

  /**
   * Explains a race between two launches, or with a caller: the lines of the program do not show
   * it.
   */
  private String apart(ExecutionRecorder recorder, ExecutionRecorder.Access other) {
    ExecutionRecorder.Event one = recorder.events().get(other.event());
    ExecutionRecorder.Event two = recorder.events().get(recorder.now());
    if (isCaller(one) || isCaller(two)) {
      return isCaller(one) ? withCaller(one, two) : withCaller(two, one);
    }
    int first = one.launch();
    int second = two.launch();
    return first == second
        ? ""
        : "they belong to launches %d and %d, and ranks do not start a launch together: order them at a launch's end, as by a barrier, or by a wait that a value of an earlier launch does not satisfy, as with epoch or a state; "
            .formatted(Math.min(first, second), Math.max(first, second));
  }

  private boolean isCaller(ExecutionRecorder.Event event) {
    return event.actor() >= model.lanes && event.actor() < model.lanes + model.world;
  }

  private String withCaller(ExecutionRecorder.Event caller, ExecutionRecorder.Event used) {
    return (used.launch() > caller.launch()
            ? "rank %d may still prepare launch %d when another rank begins it: wait for a signal of that rank first, as by a barrier; "
            : "the application on rank %d goes on when its own lanes have ended launch %d: let a lane first wait for each rank that still uses its memory; ")
        .formatted(caller.actor() - model.lanes, used.launch());
  }

  /** Describes two accesses of a race, whichever came first. */
  private String accesses(int buffer, boolean one, boolean other) {
    return "%s, %s"
        .formatted(model.buffer(buffer), one && other ? "two writes" : "a read and a write");
  }

  /** The name of the word in reports. */
  public String word(int word) {
    WordLayout table = model.words;
    int kind = table.kindOf[word];
    if (kind < table.signals) {
      int slots = Math.max(1, table.slots(table.owner[word], kind));
      return "signal=%s[%d], owner=%d, source=%d"
          .formatted(
              model.signal(kind),
              table.offset[word] % slots,
              table.owner[word],
              table.offset[word] / slots);
    }
    return "buffer=%s, owner=%d, byte=%d"
        .formatted(
            model.buffer((kind - table.signals) % model.buffers),
            table.owner[word],
            table.offset[word]);
  }

  private String agent(int component) {
    if (component < 0) {
      return "its initial value";
    }
    int lane = model.agents.laneOf[component];
    if (lane < 0) {
      return "the caller at rank=" + model.agents.rankOf[component];
    }
    return (model.agents.interfaceOf[component] < 0 ? "" : "the interface for ")
        + model.laneName(lane);
  }

  private Finding about(Kind kind, int word, int number, String message) {
    if (recorder != null) {
      int writer = recorder.writerOf(word, number);
      if (writer >= 0) {
        recorder.involved.add(writer);
      }
      recorder.involved.add(recorder.now());
    }
    return new Finding(kind, message);
  }

  public Finding gone(int word, int lane, long found, int number) {
    return about(
        Kind.OVERWRITE,
        word,
        number,
        "awaited value may be overwritten before it is read: %s, value=%d; a later value does not satisfy the wait, and its writer does not wait for %s; use a monotonic value, more slots, or a credit"
            .formatted(word(word), found, model.laneName(lane)));
  }

  /** A reader takes a packet while a later one, of that number, is in memory. */
  public Finding laterPacket(int word, int number, int agent, int reader) {
    return packets(word, recorder == null ? -1 : recorder.writerOf(word, number), agent, reader);
  }

  /** A packet is written that a reader could have taken in place of the one that it took. */
  public Finding packetAgain(int word, int agent, int reader) {
    return packets(word, recorder == null ? -1 : recorder.readerOf(word, reader), agent, reader);
  }

  private Finding packets(int word, int other, int agent, int reader) {
    if (recorder != null) {
      if (other >= 0) {
        recorder.involved.add(other);
      }
      recorder.involved.add(recorder.now());
    }
    return new Finding(
        Kind.RACE,
        "race: packets with one flag: %s; %s (write) and %s (read) are not ordered, so the read may take either packet; use another flag, another place, or await the reader's credit before the write"
            .formatted(word(word), agent(agent), model.laneName(reader)));
  }

  public Finding overwritten(int word, int number, int agent, int reader) {
    Finding finding =
        about(
            Kind.OVERWRITE,
            word,
            number,
            "value may be overwritten before it is read: %s; %s may write before %s has read the previous value; use more slots, a monotonic value, or await the reader's credit; for a counter, compare with reached, and put a fence between its changes over RDMA"
                .formatted(word(word), agent(agent), model.laneName(reader)));
    if (recorder != null) {
      int read = recorder.readerOf(word, reader);
      if (read >= 0) {
        // Before the write that may replace the value.
        recorder.involved.add(recorder.involved.size() - 1, read);
      }
    }
    return finding;
  }

  public Finding narrow(int word, int number, int agent, int lane) {
    return about(
        Kind.SCOPE,
        word,
        number,
        "scope too narrow: %s, written by %s, awaited by %s; both sides need sys across GPUs and for a lane outside the GPU (host, copy, nic), gpu across blocks, cluster within one"
            .formatted(word(word), agent(agent), model.laneName(lane)));
  }

  /** Reports that a check of the lane fails at that place; {@code found} is the value it tested. */
  public void failed(int lane, int at, long found, int comparison, long value) {
    if (recorder != null) {
      LaneInstructions code = model.lane(lane);
      String facts =
          ", '%s', found=%s, expected='%s %s'"
              .formatted(
                  code.text(at),
                  Long.toUnsignedString(found),
                  OperandTable.spelling(comparison),
                  Long.toUnsignedString(value));
      recorder.failed(lane, code.operation(at), facts);
    }
  }

  public Finding check(int lane, int launch, int code) {
    String facts = recorder == null ? "" : recorder.failure(lane);
    return new Finding(
        Kind.CHECK,
        "check failed: %s, launch=%d, code=%d%s; find the write of the value that was tested"
            .formatted(model.laneName(lane), launch, code, facts));
  }

  public Finding leak(int lock, int number, int agent) {
    return about(
        Kind.LEAK,
        lock,
        number,
        "lock still held when the last launch has ended: %s, by %s; unlock it on every way"
            .formatted(word(lock), agent(agent)));
  }

  public Finding writers(int word, int number, int other, int agent) {
    if (recorder != null && recorder.added(word, number)) {
      return about(
          Kind.RESET,
          word,
          number,
          "slot set while an add to it may be in flight: %s; %s adds and %s sets, and nothing orders them; wait for the adds first, or never reset: count up across launches"
              .formatted(word(word), agent(other), agent(agent)));
    }
    String first = agent(other);
    String second = agent(agent);
    String fix = first.equals(second) ? "wait for the first by a quiet of its context, or " : "";
    return about(
        Kind.WRITERS,
        word,
        number,
        "two writers of one slot: %s; %s and %s are not ordered; %sgive each its own slot"
            .formatted(word(word), first, second, fix));
  }

  public Finding unlocked(int word, int number, int other, int agent) {
    return about(
        Kind.WRITERS,
        word,
        number,
        "lock released by a lane that does not hold it: %s, taken by %s, released by %s; unlock in the lane that locked"
            .formatted(word(word), agent(other), agent(agent)));
  }

  public Finding notLocked(int word, int number, int agent) {
    return about(
        Kind.WRITERS,
        word,
        number,
        "lock released that no lane holds: %s, released by %s; unlock once for each lock"
            .formatted(word(word), agent(agent)));
  }

  public Finding atomicity(int word, int number, int other, int agent) {
    return about(
        Kind.ATOMICITY,
        word,
        number,
        "changed in two places that are not atomic with each other: %s; %s and %s; change it through one interface, or order them; profile L2,platform=1 is for hosts where a GPU and its interface are atomic"
            .formatted(word(word), agent(other), agent(agent)));
  }
}
