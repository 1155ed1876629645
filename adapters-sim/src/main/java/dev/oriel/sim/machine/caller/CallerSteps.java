package dev.oriel.sim.machine.caller;

import dev.oriel.domain.binding.BoundPostCondition;
import dev.oriel.domain.program.Space;
import dev.oriel.sim.machine.clocks.ComponentClocks;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.finding.FindingException;
import dev.oriel.sim.machine.lane.LaneSteps;
import dev.oriel.sim.machine.layout.AgentLayout;
import dev.oriel.sim.machine.layout.CausalClockIndex;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.memory.DataWords;
import dev.oriel.sim.machine.memory.SharedSubsystems;
import dev.oriel.sim.machine.memory.SimulatedMemory;
import dev.oriel.sim.machine.provenance.InputContents;
import dev.oriel.sim.machine.provenance.InputPattern;
import dev.oriel.sim.machine.provenance.TaggedBytes;
import dev.oriel.sim.machine.report.FindingReporter;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.replay.ChoiceSource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The caller of each rank. It fills memory, launches, reads and checks outputs, and continues at
 * once. After the last launch it fills memory once more, so that late accesses show.
 */
public final class CallerSteps {
  private final MachineModel model;
  private final AgentLayout agents;
  private final SimulatedMemory memory;
  private final DataWords dataWords;
  private final ComponentClocks clocks;
  private final ResidentBlocks blocks;
  private final FindingReporter reports;
  private final int launches;

  /** Whether the number of launches is not fixed: the first rank after each may end them all. */
  private final boolean closing;

  /** The most launches that are explored then. */
  private int limit;

  /** Whether a rank ran so many launches that no further one is explored. */
  private boolean limited;

  private long held;

  /** Expected outputs by rank and launch, made at the first check. */
  private final ExpectedOutput[][] @Nullable [] promises;

  /** How many turns input words may have in each launch; 1 if they follow from its number. */
  private final int turns;

  private final boolean checks;
  private final boolean values;
  private long[] fill = new long[64];

  public CallerSteps(SharedSubsystems shared, LaneSteps lanes, ExecutionSettings settings) {
    model = shared.model;
    agents = model.agents;
    memory = shared.memory;
    dataWords = shared.dataWords;
    clocks = shared.clocks;
    reports = shared.reports;
    blocks = new ResidentBlocks(model, lanes);
    launches = settings.launches();
    closing = settings.closing();
    limit = launches;
    turns = closing && model.inputs.round() > 0 ? InputContents.TURNS : 1;
    promises = new ExpectedOutput[model.world][(launches + 1) * turns][];
    checks = settings.detectors().finds(Kind.CHECK);
    values = settings.detectors().finds(Kind.VALUE);
  }

  /** Whether every launch of the rank has ended. */
  public boolean through(MachineState s, int rank) {
    return s.launched[rank] > last(s);
  }

  private int last(MachineState s) {
    return s.last[0] == 0 ? launches : s.last[0];
  }

  /**
   * Whether the rank's next step decides whether its launch was the last one, and which turn input
   * words have in the next launch of all ranks. Before the first launch, only the latter.
   */
  public boolean decides(MachineState s, int rank) {
    return closing
        && s.last[0] == 0
        && s.launched[rank] == most(s)
        && (s.launched[rank] > 0 || turns > 1);
  }

  private void decide(MachineState s, int rank, ChoiceSource branch) {
    int launched = s.launched[rank];
    boolean most = launched == limit;
    limited |= most;
    // The option after all turns is the end; the first launch has no end before it.
    int chosen = most ? turns : branch.choose(launched == 0 ? turns : turns + 1);
    s.last[0] = chosen == turns ? launched : 0;
    if (chosen < turns) {
      s.turns[0] = InputContents.with(s.turns[0], launched, chosen);
    }
  }

  /** The turn of input words in that launch, counted from 0. */
  private int turn(MachineState s, int launch) {
    return turns > 1 ? InputContents.turn(s.turns[0], launch) : InputContents.BY_LAUNCH;
  }

  private static int most(MachineState s) {
    int most = 0;
    for (int launched : s.launched) {
      most = Math.max(most, launched);
    }
    return most;
  }

  /** Whether launches went on after the most that are explored. */
  public boolean limited() {
    return limited;
  }

  /** The most launches that are explored where their number is not fixed. */
  public int limit() {
    return limit;
  }

  public void limit(int most) {
    limit = most;
  }

  /**
   * Notes the end of a lane, which leaves room for others. After the last lane of a rank, its
   * caller is due.
   */
  public void ended(MachineState s, int rank, ChoiceSource branch) {
    blocks.fill(s, rank, branch);
    s.callerDue[rank] = allEnded(s, rank);
  }

  private boolean allEnded(MachineState s, int rank) {
    for (int l = model.firstLane[rank]; l < model.firstLane[rank + 1]; l++) {
      if (!s.ended[l]) {
        return false;
      }
    }
    return true;
  }

  /** Checks the launch that ended, if there was one, and begins the next. */
  public void step(MachineState s, int rank, ChoiceSource branch) {
    if (decides(s, rank)) {
      decide(s, rank, branch);
    }
    reports.caller(s, rank, s.launched[rank] >= last(s));
    if (s.launched[rank] > 0) {
      end(s, rank);
    }
    if (s.aborted[rank]) {
      s.launched[rank] = launches + 1;
      s.callerDue[rank] = false;
      return;
    }
    begin(s, rank, branch);
  }

  /** Whether the rank's next launch chooses the lanes that begin. */
  public boolean launchChooses(int rank) {
    return blocks.chooses(rank);
  }

  /** Whether the end of a lane of the rank may choose the lanes that begin. */
  public boolean endChooses(MachineState s, int rank) {
    return blocks.chooses(s, rank);
  }

  private void begin(MachineState s, int rank, ChoiceSource branch) {
    prepare(s, rank);
    s.launched[rank]++;
    int first = model.firstLane[rank];
    int end = model.firstLane[rank + 1];
    s.callerDue[rank] = first == end && s.launched[rank] <= last(s);
    if (s.launched[rank] > last(s)) {
      return;
    }
    blocks.launch(s, rank, branch);
    clocks.advance(s, agents.caller[rank]);
  }

  /** Fills inputs, and fills outputs with a pattern that no program writes. */
  private void prepare(MachineState s, int rank) {
    int caller = agents.caller[rank];
    int causes = clocks.callerCauses(s, rank);
    int turn = turn(s, s.launched[rank]);
    for (int b = 0; b < model.buffers; b++) {
      Space space = model.space(b);
      if (!space.callers()) {
        continue;
      }
      int size = model.bytes[rank * model.buffers + b];
      if (size > fill.length) {
        fill = new long[size];
      }
      if (space.filled()) {
        for (int i = 0; i < size; i++) {
          fill[i] = model.inputs.at(rank, s.launched[rank], turn, b, i);
        }
      } else {
        Arrays.fill(fill, 0, size, InputPattern.POISON);
      }
      memory.write(s, caller, rank, b, 0, size, fill, 0, CausalClockIndex.caller(model, rank));
      if (model.words.hasWords(rank * model.buffers + b)) {
        dataWords.written(s, caller, rank, b, 0, size, causes);
      }
    }
  }

  private void end(MachineState s, int rank) {
    int caller = agents.caller[rank];
    if (blocks.late(rank)) {
      // Lanes that began late are ordered after the launch, and not after what follows here.
      clocks.advance(s, caller);
    }
    for (int l = model.firstLane[rank]; l < model.firstLane[rank + 1]; l++) {
      clocks.end(s, l, caller);
      if (s.failure[l] == LaneSteps.ABANDONED) {
        s.aborted[rank] = true;
      } else if (s.failure[l] != 0 && checks) {
        throw new FindingException(reports.check(l, s.launched[rank], s.failure[l]));
      }
    }
    if (s.aborted[rank]) {
      return;
    }
    for (int b = 0; b < model.buffers; b++) {
      if (model.space(b).taken()) {
        int size = model.bytes[rank * model.buffers + b];
        memory.access(s, caller, rank, b, 0, size, 0, -1);
      }
    }
    reports.outputs(s, rank);
    if (values) {
      for (ExpectedOutput promised : promised(s, rank)) {
        if (applies(s, rank, promised.claim)) {
          read(s, rank, promised);
          judge(s, rank, promised);
        }
      }
    }
  }

  /**
   * Whether the claim is to be judged: the word of its condition, which the caller reads, satisfies
   * it. A word of an output that nobody wrote is a finding, since it has any value.
   */
  private boolean applies(MachineState s, int rank, BoundPostCondition claim) {
    if (claim.when().isEmpty()) {
      return true;
    }
    BoundPostCondition.FinalWord word = claim.when().get();
    int buffer = model.code.form().bufferIndex(word.buffer());
    int offset = (int) word.offset();
    if (!model.space(buffer).taken()) {
      memory.access(s, agents.caller[rank], rank, buffer, offset, Long.BYTES, 0, -1);
    }
    byte[] found = new byte[Long.BYTES];
    for (int i = 0; i < Long.BYTES; i++) {
      long octet = s.bytes[model.firstByte[rank * model.buffers + buffer] + offset + i];
      if (octet == InputPattern.POISON) {
        reports.wrongByte(rank, claim.ensure(), buffer, offset + i);
        throw new FindingException(
            new Finding(
                Kind.VALUE,
                "wrong byte: rank=%d, launch=%d, buffer=%s, offset=%d, found=never written, expected=a word that the condition of a post-condition reads; write it in every launch"
                    .formatted(rank, s.launched[rank], word.buffer(), offset + i)));
      }
      found[i] = (byte) octet;
    }
    boolean holds = word.holds(found);
    held |= holds ? 1L << Math.min(claim.ensure(), Long.SIZE - 1) : 0;
    return holds;
  }

  /**
   * The post-conditions, by number, whose condition held in some execution. All from the last bit's
   * number on share that bit.
   */
  public long held() {
    return held;
  }

  /** A caller that compares promised bytes of other memory than its outputs reads them. */
  private void read(MachineState s, int rank, ExpectedOutput promised) {
    if (model.space(promised.actual).taken() || promised.length == 0) {
      return;
    }
    memory.access(
        s, agents.caller[rank], rank, promised.actual, promised.first, promised.length, 0, -1);
  }

  private ExpectedOutput[] promised(MachineState s, int rank) {
    int launch = s.launched[rank];
    int turn = turn(s, launch - 1);
    int place = launch * turns + Math.max(0, turn);
    ExpectedOutput[] promised = promises[rank][place];
    if (promised == null) {
      promised = ExpectedOutput.of(model, rank, launch, turn);
      promises[rank][place] = promised;
    }
    return promised;
  }

  private void judge(MachineState s, int rank, ExpectedOutput promised) {
    BoundPostCondition claim = promised.claim;
    int first = model.firstByte[rank * model.buffers + promised.actual];
    for (int i = 0; i < claim.bytes(); i++) {
      long found = s.bytes[first + (int) promised.place(i)];
      if (!promised.keeps(found, i)) {
        reports.wrongByte(rank, claim.ensure(), promised.actual, promised.place(i));
        throw new FindingException(
            new Finding(
                Kind.VALUE,
                "wrong byte: rank=%d, launch=%d, buffer=%s, offset=%d, found=%s, expected=%s; %s"
                    .formatted(
                        rank,
                        s.launched[rank],
                        claim.actual(),
                        promised.place(i),
                        found == InputPattern.POISON
                            ? "never written"
                            : "0x%02x".formatted(found & 0xFF),
                        claim.origin(i),
                        origin(found, promised, i))));
      }
    }
  }

  /** The origin of a byte in words, as far as it is known. */
  private String origin(long found, ExpectedOutput promised, int at) {
    String mistake = promised.mistake(found, at);
    if (!mistake.isEmpty()) {
      return mistake;
    }
    if (found == InputPattern.POISON) {
      return "nothing wrote it in this launch";
    }
    for (int r = 0; r < model.world; r++) {
      for (int b = 0; b < model.buffers; b++) {
        int size = model.space(b).filled() ? model.bytes[r * model.buffers + b] : 0;
        for (int launch = 0; launch <= launches; launch++) {
          for (int i = 0; i < size; i++) {
            if (TaggedBytes.same(model.inputs.at(r, launch, b, i), found)) {
              return "it is %s[%d] of rank %d, launch %d"
                  .formatted(model.buffer(b), i, r, launch + 1);
            }
          }
        }
      }
    }
    return found == 0
        ? "it is the initial value of memory that nothing wrote before it was copied"
        : "see the last steps of the trace";
  }
}
