package dev.oriel.cuda.ptx;

import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.LoweredStep;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.lowering.StepPrinter;
import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Proxy;
import dev.oriel.ports.queue.QueueFormat;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Generates the blocks of one lane family. Each family has a PTX scope of its own: registers and
 * labels of different families do not clash.
 */
final class LaneCode {
  /** The label before the barrier and the end with which every lane closes. */
  private static final String LAST = "$last";

  private static final String EXIT = "$exit";
  private static final int LAST_STEPS = 2;

  private final Form form;
  private final LoweredLane lane;
  private final int threadCount;
  private final PtxKernel.Shape shape;

  /** The steps that the kernel's ranks may execute. */
  private final BitSet reached;

  private final PtxBuilder ptx = new PtxBuilder();
  private final ExprCode exprs = new ExprCode(ptx);
  private final String lines = ptx.word();
  private final String state = ptx.word();
  private final String status = ptx.word();
  private final String dead = ptx.half();
  private final String failed = ptx.half();
  private final WorkSharingCode threads;
  private final BoundedWaitCode waits;
  private final SlotCode slots;
  private final WordCode words;
  private final CopyCode copies;
  private final JoinCode joins;

  /** Empty if the lane makes no bulk copies. */
  private final Optional<BulkCode> bulk;

  /** Empty if every peer's memory is mapped. */
  private final Optional<QueueCode> queues;

  private final LineCode line;

  /**
   * Whether a warp's threads must leave together: some moves vote, and a thread that posts to a
   * network may give up between two barriers, while the others already wait at the next one.
   */
  private final boolean together;

  private final AddressCode addresses;

  /**
   * Generates the prologue of a family.
   *
   * @param number the family's index in the form
   * @param reached the steps of the family that are generated
   */
  LaneCode(Form form, List<LoweredLane> lanes, int number, PtxKernel.Shape shape, BitSet reached) {
    this.form = form;
    this.lane = lanes.get(number);
    this.shape = shape;
    this.reached = reached;
    threadCount = threads(lane);
    threads = new WorkSharingCode(ptx, threadCount, ptx.word(), ptx.word(), dead, failed);
    String bases = ptx.word();
    String abort = ptx.word();
    String limit = ptx.word();
    String meeting = meeting(shape.several());
    addresses = new AddressCode(ptx, exprs, form, bases);
    waits = new BoundedWaitCode(ptx, abort, limit, status, state, dead, meeting, EXIT);
    slots = new SlotCode(ptx, exprs, addresses, waits, threads);
    words = new WordCode(ptx, exprs, addresses, waits, threads);
    copies = new CopyCode(ptx, exprs, addresses, waits, threads);
    joins = new JoinCode(ptx, exprs, waits, threads, form, lines);
    bulk =
        bulkCopies(lane)
            ? Optional.of(new BulkCode(ptx, exprs, addresses, threads))
            : Optional.empty();
    queues = shape.queues().map(this::queues);
    line =
        new LineCode(
            ptx,
            exprs,
            threads,
            lane,
            state,
            JoinCode.joins(lanes, lane.lane().name()),
            shape.part() == PtxKernel.Part.WHOLE);
    together = threadCount > 1 && (lane.moves(PacketFormat.LINE128) || shape.queues().isPresent());
    prologue(bases, abort, limit, number);
  }

  private QueueCode queues(QueueFormat format) {
    String table = ptx.word();
    String remote = ptx.word();
    String sink = ptx.word();
    ptx.op("ld.param.u64 %s, [queues]", table);
    ptx.op("ld.param.u64 %s, [remote]", remote);
    ptx.op("ld.param.u64 %s, [sink]", sink);
    String block = ptx.half();
    ptx.comment("each block has two words of its own for what comes back");
    ptx.op("mov.u32 %s, %%ctaid.x", block);
    ptx.op("mad.wide.u32 %s, %s, %d, %s", sink, block, PtxKernel.SINK, sink);
    RingCode ring = new RingCode(ptx, waits, threads, format, table);
    return new QueueCode(ptx, exprs, addresses, waits, threads, ring, lane, remote, sink);
  }

  /** The barrier of the lane's threads; bar.sync counts whole warps. */
  private String meeting(boolean several) {
    if (threadCount == 1) {
      return "bar.warp.sync 0x1";
    }
    return several ? "bar.sync 0, " + threadCount : "bar.sync 0";
  }

  /** Threads of a block of that family. */
  static int threads(LoweredLane lane) {
    if (lane.lane().engine() instanceof LaneFamily.Engine.Sm sm) {
      if (sm.threads() == 1 && lane.moves(PacketFormat.LINE128)) {
        throw new ProgramException(
            "lines of one thread have no PTX form: lane=%s; a warp moves line128: write sm(32), or pkt16"
                .formatted(lane.lane().name()));
      }
      return sm.threads();
    }
    throw new ProgramException(
        "lane has no PTX form: lane=%s; only sm lanes are kernels".formatted(lane.lane().name()));
  }

  /** Whether that family's blocks make bulk copies. */
  static boolean bulkCopies(LoweredLane lane) {
    return lane.steps().stream()
        .map(LoweredStep::micro)
        .anyMatch(m ->
            m instanceof MicroOperation.ProxyStep
                && !m.equals(new MicroOperation.ProxyFence(Proxy.ALIAS)));
  }

  /** Blocks of a cluster of that family. */
  static int cluster(LoweredLane lane) {
    return lane.lane().engine() instanceof LaneFamily.Engine.Sm sm ? sm.cluster() : 1;
  }

  /** The text of the scope: registers, then instructions. */
  String text() {
    for (int i = 0; i < lane.steps().size(); i++) {
      line.before(i);
      if (i == lane.steps().size() - LAST_STEPS) {
        ptx.place(LAST);
      }
      if (!reached.get(i)) {
        continue;
      }
      Optional<PeerLoop> loop = PeerLoop.at(lane.steps(), i);
      if (twice(i)) {
        ptx.comment("the barrier after it orders both: " + lane.steps().get(i).why());
      } else if (lane.steps().get(i).micro() instanceof MicroOperation.WriteSlot w && alone(i)) {
        ptx.comment(StepPrinter.print(w));
        slots.writeAtOnce(w);
      } else if (loop.isPresent()) {
        ptx.comment("for each peer: " + StepPrinter.print(loop.get().move()));
        agree(loop.get().move());
        copies.eachPeer(loop.get());
        i += loop.get().steps() - 1;
      } else {
        step(lane.steps().get(i));
      }
    }
    return "// lane " + lane.lane().name() + "\n{\n" + ptx.registers() + "\n" + ptx.body() + "}\n";
  }

  /** Whether the lane begins with signals whose addresses depend on no loaded word. */
  private boolean foreseeable(MicroOperation.WriteSlot w) {
    Expr index = w.slot().index();
    return alone(0)
        && (w.slot().at() instanceof Peers.Others || w.slot().at() instanceof Peers.All)
        && (index instanceof Expr.Const
            || lane.lane().indices().stream().anyMatch(i -> index.equals(Expr.name(i.name()))));
  }

  /** Whether a step is a barrier directly before the lane's last one. */
  private boolean twice(int step) {
    return step == lane.steps().size() - LAST_STEPS - 1
        && lane.steps().get(step).micro() instanceof MicroOperation.Bar;
  }

  /**
   * Whether several threads may execute a step together, since no other access of thread 0 must be
   * ordered with it. A barrier or the lane's start is directly before the step. Between the step
   * and the next barrier are only awaits, in which all threads take part.
   */
  private boolean alone(int step) {
    List<LoweredStep> steps = lane.steps();
    boolean before = step == 0 || steps.get(step - 1).micro() instanceof MicroOperation.Bar;
    int next = step + 1;
    while (next < steps.size() && steps.get(next).micro() instanceof MicroOperation.PollSlot) {
      next++;
    }
    return before
        && threadCount >= PtxKernel.MAX_WORLD
        && next < steps.size()
        && steps.get(next).micro() instanceof MicroOperation.Bar;
  }

  private void prologue(String bases, String abort, String limit, int number) {
    ptx.op("mov.b64 %s, bases", bases);
    ptx.op("ld.param.u64 %s, [state]", lines);
    ptx.op("ld.param.u64 %s, [status]", status);
    ptx.op("ld.param.u64 %s, [abort]", abort);
    ptx.op("ld.param.u64 %s, [patience]", limit);
    Map<String, Long> constants = constants(form);
    for (String value : shape.values()) {
      Long constant = constants.get(value);
      if (constant == null) {
        ptx.op("ld.param.u64 %s, [v_%s]", exprs.register(value), value);
      } else {
        ptx.op("mov.b64 %s, %d", exprs.register(value), constant);
      }
    }
    String small = ptx.half();
    ptx.op("mov.u32 %s, %%tid.x", small);
    ptx.op("cvt.u64.u32 %s, %s", threads.self(), small);
    ptx.op("mov.b64 %s, %d", threads.count(), threadCount);
    ptx.op("mov.b32 %s, 0", dead);
    ptx.op("mov.b32 %s, 0", failed);
    waits.prepare();
    String block = ptx.half();
    ptx.op("mov.u32 %s, %%ctaid.x", block);
    String wide = ptx.word();
    ptx.op("cvt.u64.u32 %s, %s", wide, block);
    ptx.op("mad.lo.s64 %s, %s, %d, %s", state, wide, PtxKernel.LINE, lines);
    if (shape.several()) {
      own(block, wide, number);
    }
    threads.leader(() -> ptx.op("st.shared.u32 [block_dead], 0"));
    bulk.ifPresent(BulkCode::prepare);
    ptx.comment("nobody gives up before the block's flag is cleared");
    waits.arrive();
    indices(block);
    if (lane.steps().getFirst().micro() instanceof MicroOperation.WriteSlot w && foreseeable(w)) {
      slots.foresee(w);
    }
    if (shape.early()) {
      ptx.comment("the previous kernel's memory is complete before any of it is accessed");
      ptx.op("griddepcontrol.wait");
      ptx.comment("the next kernel may start: it waits for the end of this one as well");
      ptx.opIf("!%few", "griddepcontrol.launch_dependents");
    }
    bulk.ifPresent(BulkCode::orderAfterEarlierKernels);
    if (shape.part() == PtxKernel.Part.WHOLE) {
      String reason = waits.earlier();
      line.load();
      waits.inherit(reason);
    } else {
      exitIfGaveUp();
      line.load();
    }
  }

  /** Definitions that are numbers: the assembler replaces divisions by constants. */
  private static Map<String, Long> constants(Form form) {
    Map<String, Long> constants = new HashMap<>();
    for (Form.Definition definition : form.definitions()) {
      if (definition.value() instanceof Expr.Const(long value)) {
        constants.put(definition.name(), value);
      }
    }
    return constants;
  }

  /**
   * Once a stage has given up, later stages neither wait nor signal. Another chain may give up
   * while the threads read the status. After the vote, the whole warp leaves if any thread saw
   * that.
   */
  private void exitIfGaveUp() {
    String reason = ptx.word();
    String seen = ptx.predicate();
    String gone = ptx.predicate();
    ptx.op("ld.relaxed.gpu.global.u64 %s, [%s]", reason, status);
    ptx.op("setp.ne.u64 %s, %s, 0", seen, reason);
    ptx.op("vote.sync.any.pred %s, %s, %s", gone, seen, WorkSharingCode.WARP);
    ptx.opIf(gone, "bra %s", EXIT);
  }

  /**
   * Skips blocks of other families, ends threads beyond the family's number, and counts the
   * family's blocks from 0.
   */
  private void own(String block, String wide, int number) {
    String first = ptx.word();
    String end = ptx.word();
    String before = ptx.predicate();
    String after = ptx.predicate();
    ptx.op("mov.b64 %s, %s", first, exprs.of(PtxKernel.before(form, number)));
    ptx.op("mov.b64 %s, %s", end, exprs.of(PtxKernel.before(form, number + 1)));
    ptx.op("setp.lt.u64 %s, %s, %s", before, wide, first);
    ptx.op("setp.ge.or.u64 %s, %s, %s, %s", after, wide, end, before);
    ptx.opIf(after, "bra $after_family_%d", number);
    String idle = ptx.predicate();
    ptx.op("setp.ge.u64 %s, %s, %s", idle, threads.self(), threads.count());
    ptx.opIf(idle, "bra %s", EXIT);
    ptx.op("sub.s64 %s, %s, %s", wide, wide, first);
    ptx.op("cvt.u32.u64 %s, %s", block, wide);
  }

  /**
   * Splits the block's number into lane indices; the last index varies fastest. There are fewer
   * than 2^32 blocks, and a 32-bit division costs a fraction of a 64-bit one.
   */
  private void indices(String rest) {
    for (LaneFamily.Index index : lane.lane().indices().reversed()) {
      String count = ptx.half();
      String wide = ptx.word();
      String part = ptx.half();
      ptx.op("mov.b64 %s, %s", wide, exprs.of(index.count()));
      ptx.op("cvt.u32.u64 %s, %s", count, wide);
      ptx.op("rem.u32 %s, %s, %s", part, rest, count);
      ptx.op("div.u32 %s, %s, %s", rest, rest, count);
      ptx.op("cvt.u64.u32 %s, %s", exprs.register(index.name()), part);
    }
  }

  private void step(LoweredStep step) {
    MicroOperation micro = step.micro();
    if (!(micro instanceof MicroOperation.Label)) {
      ptx.comment(StepPrinter.print(micro));
      if (!step.why().isEmpty() && !step.why().equals(StepPrinter.print(micro))) {
        ptx.comment("  for: " + step.why());
      }
    }
    agree(micro);
    switch (micro) {
      case MicroOperation.Label(int id) -> ptx.place("$L" + id);
      case MicroOperation.Jump(int label) -> {
        if (together) {
          waits.leaveTogether(LAST);
        } else {
          waits.leave(LAST);
        }
        ptx.op("bra $L%d", label);
      }
      case MicroOperation.Unless(var _, int label) when !reached.get(lane.position(label)) ->
          ptx.comment("  holds for this rank");
      case MicroOperation.Unless(var condition, int label) -> {
        String no = ptx.predicate();
        ptx.op("not.pred %s, %s", no, exprs.holds(condition));
        ptx.opIf(no, "bra $L%d", label);
      }
      case MicroOperation.Set(var register, var value) ->
          ptx.op("mov.b64 %s, %s", exprs.register(register), exprs.of(value));
      case MicroOperation.Bar() -> waits.meet();
      case MicroOperation.Fence(var scope, boolean strict, boolean alone) -> {
        ptx.comment("earlier accesses are ordered before later ones");
        Runnable fence = () -> ptx.op("fence.%s.%s", strict ? "sc" : "acq_rel", scope.spelling());
        if (alone) {
          threads.leader(fence);
        } else {
          fence.run();
        }
      }
      case MicroOperation.Copy c -> copies.copy(c);
      case MicroOperation.WriteSlot w -> slots.write(w);
      case MicroOperation.PollSlot p -> slots.poll(p);
      case MicroOperation.LoadWord l -> load(l);
      case MicroOperation.StoreWord(var word, int width, var value) -> {
        String content = exprs.of(value);
        String address = addresses.buffer(word.buffer(), exprs.register("r"), word.offset());
        String skip = ptx.label("failed");
        threads.working(skip);
        threads.leader(() -> ptx.op("st.global.u%d [%s], %s", bits(width), address, content));
        ptx.place(skip);
      }
      case MicroOperation.Check(var condition, int code) -> {
        String fails = ptx.predicate();
        ptx.op("not.pred %s, %s", fails, exprs.holds(condition));
        fail(fails, code);
      }
      case MicroOperation.End() -> end();
      case MicroOperation.UnlessKind u -> queues(micro).unless(u);
      case MicroOperation.WordStep w -> words.step(w);
      case MicroOperation.ProxyStep p -> bulk.orElseThrow(() -> unsupported(p)).step(p);
      case MicroOperation.AwaitLane(String other) -> joins.await(other);
      case MicroOperation.Post p -> queues(micro).post(p);
      case MicroOperation.AwaitQueue a -> queues(micro).await(a);
      case MicroOperation.VisibilityFence() ->
          ptx.comment("no instruction: on mapped memory an acquire makes the bytes visible");
    }
  }

  /**
   * Keeps a warp's threads together before a move that votes, in which all of them must take part.
   * A thread that gave up, or a word that only some of them loaded, would lead them apart.
   */
  private void agree(MicroOperation micro) {
    boolean divides =
        micro instanceof MicroOperation.Copy
            || micro instanceof MicroOperation.LoadWord
            || micro instanceof MicroOperation.WordStep;
    if (together && divides) {
      threads.agree();
    }
  }

  private void load(MicroOperation.LoadWord l) {
    String register = exprs.register(l.register());
    String max = exprs.of(l.max());
    String address = addresses.buffer(l.word().buffer(), exprs.register("r"), l.word().offset());
    String above = ptx.predicate();
    String skip = ptx.label("failed");
    ptx.op("mov.b64 %s, 0", register);
    threads.working(skip);
    ptx.op("ld.global.u%d %s, [%s]", bits(l.width()), register, address);
    ptx.op("setp.gt.u64 %s, %s, %s", above, register, max);
    ptx.opIf(above, "mov.b64 %s, 0", register);
    fail(above, l.code());
    ptx.place(skip);
  }

  private static int bits(int width) {
    return Byte.SIZE * width;
  }

  /** Keeps the code of the lane's first failed check; the condition is the same in all threads. */
  private void fail(String predicate, int code) {
    String first = ptx.predicate();
    ptx.op("setp.eq.and.u32 %s, %s, 0, %s", first, failed, predicate);
    ptx.opIf(first, "mov.b32 %s, %d", failed, code);
  }

  private void end() {
    if (shape.part() == PtxKernel.Part.INNER) {
      exit();
      return;
    }
    String over = ptx.label("over");
    String fine = ptx.predicate();
    threads.leader(() -> {
      line.store();
      ptx.op("setp.eq.u32 %s, %s, 0", fine, failed);
      ptx.opIf(fine, "bra %s", over);
      String code = ptx.word();
      String seen = ptx.word();
      ptx.op("cvt.u64.u32 %s, %s", code, failed);
      ptx.op("add.s64 %s, %s, %d", code, code, LaneStatus.FAILED);
      ptx.op("atom.relaxed.gpu.global.cas.b64 %s, [%s], 0, %s", seen, status, code);
      ptx.place(over);
    });
    exit();
  }

  private void exit() {
    ptx.place(EXIT);
    bulk.ifPresent(BulkCode::finish);
    ptx.op("ret");
  }

  private QueueCode queues(MicroOperation micro) {
    return queues.orElseThrow(() -> unsupported(micro));
  }

  private ProgramException unsupported(MicroOperation micro) {
    return new ProgramException(
        "operation has no PTX form yet: form=%s, lane=%s, operation=%s; use NVLink peers and sm lanes"
            .formatted(form.name(), lane.lane().name(), StepPrinter.print(micro)));
  }
}
