package dev.oriel.cuda.ptx;

import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.Micro;
import dev.oriel.domain.lowering.Step;
import dev.oriel.domain.lowering.StepPrinter;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Lane;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Space;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Prints one kernel per lane family. Structure is compiled in; addresses, sizes and every value
 * that world, parameters or rank determine are kernel parameters, so one kernel serves all of them.
 */
public final class PtxCompiler {
  /** Before the barrier and the end that every lane closes with. */
  private static final String LAST = "$last";

  private static final String EXIT = "$exit";
  private static final int LAST_STEPS = 2;

  /** Parameters besides bases and names: state, status, abort, patience. */
  private static final int FIXED = 4;

  /**
   * Blocks up to which a kernel lets its successor start before its own wait: measured on 4 H200s,
   * it gains 0.1 us where blocks are few, and loses 1.4 us of 15 where they fill the GPU.
   */
  private static final int FEW_BLOCKS = 32;

  /** Bytes of parameters that every driver takes. */
  private static final int MAX_PARAMETERS = 4096;

  private static final Pattern NOT_WORD = Pattern.compile("[^A-Za-z0-9_]");

  private final Target target;

  public PtxCompiler(Target target) {
    this.target = target;
  }

  /**
   * The kernels of a form, in the order of its lanes.
   *
   * @throws ProgramException if the form uses what has no PTX form
   */
  public List<Kernel> compile(LoweredForm form) {
    for (Buffer buffer : form.form().buffers()) {
      if (buffer.space() == Space.SHARED) {
        throw new ProgramException(
            "shared memory has no PTX form yet: form=%s, buffer=%s; use scratch"
                .formatted(form.form().name(), buffer.name()));
      }
    }
    List<Kernel> kernels = new ArrayList<>();
    for (LoweredLane lane : form.lanes()) {
      kernels.add(new LaneKernel(form.form(), lane).kernel());
    }
    return kernels;
  }

  private final class LaneKernel {
    private final Form form;
    private final LoweredLane lane;
    private final int threadCount;
    private final List<String> values = new ArrayList<>();
    private final Ptx ptx = new Ptx();
    private final ExprCode exprs = new ExprCode(ptx);
    private final String state = ptx.word();
    private final String status = ptx.word();
    private final String dead = ptx.half();
    private final String failed = ptx.half();
    private final Threads threads;
    private final Patience patience;
    private final SlotCode slots;
    private final CopyCode copies;
    private final Addresses addresses;

    LaneKernel(Form form, LoweredLane lane) {
      this.form = form;
      this.lane = lane;
      if (!(lane.lane().engine() instanceof Lane.Engine.Sm(int threadsOfBlock))) {
        throw new ProgramException(
            "lane has no PTX form: lane=%s; only sm lanes are kernels"
                .formatted(lane.lane().name()));
      }
      threadCount = threadsOfBlock;
      threads = new Threads(ptx, threadCount, ptx.word(), ptx.word(), dead, failed);
      String bases = ptx.word();
      String abort = ptx.word();
      String limit = ptx.word();
      addresses = new Addresses(ptx, exprs, form, bases);
      patience = new Patience(ptx, abort, limit, status, dead);
      slots = new SlotCode(ptx, exprs, addresses, patience, threads);
      copies = new CopyCode(ptx, exprs, addresses, patience, threads);
      values.add("n");
      values.add("r");
      form.params().forEach(p -> values.add(p.name()));
      form.definitions().forEach(d -> values.add(d.name()));
      prologue(bases, abort, limit);
    }

    Kernel kernel() {
      String form0 = NOT_WORD.matcher(form.name()).replaceAll("_");
      String entry = form0 + "__" + lane.lane().name();
      for (int i = 0; i < lane.steps().size(); i++) {
        if (i == lane.steps().size() - LAST_STEPS) {
          ptx.place(LAST);
        }
        Optional<PeerLoop> loop = PeerLoop.at(lane.steps(), i);
        if (lane.steps().get(i).micro() instanceof Micro.WriteSlot w && alone(i)) {
          ptx.comment(StepPrinter.print(w));
          slots.writeAtOnce(w);
        } else if (loop.isPresent()) {
          ptx.comment("for each peer: " + StepPrinter.print(loop.get().move()));
          copies.eachPeer(loop.get());
          i += loop.get().steps() - 1;
        } else {
          step(lane.steps().get(i));
        }
      }
      StringBuilder text = new StringBuilder();
      text.append("// form ").append(form.name()).append(", lane ").append(lane.lane().name());
      text.append("\n.version 8.0\n.target ").append(target.spelling());
      text.append("\n.address_size 64\n\n");
      text.append(".visible .entry ").append(entry).append("(\n");
      text.append("    .param .align 8 .b8 bases[").append(bytesOfBases()).append("],\n");
      text.append("    .param .u64 state,\n    .param .u64 status,\n");
      text.append("    .param .u64 abort,\n    .param .u64 patience");
      for (String value : values) {
        text.append(",\n    .param .u64 v_").append(value);
      }
      text.append("\n)\n.maxntid ").append(threadCount).append(", 1, 1\n{\n");
      text.append("    .shared .align 4 .u32 block_dead;\n");
      text.append(ptx.registers()).append('\n').append(ptx.body()).append("}\n");
      return new Kernel(entry, text.toString(), threadCount, values);
    }

    /**
     * Whether nothing of one thread stands beside the step that others must come behind: a barrier
     * or the lane's start is before it, and a barrier behind it, but for what all threads wait for.
     */
    private boolean alone(int step) {
      List<Step> steps = lane.steps();
      boolean before = step == 0 || steps.get(step - 1).micro() instanceof Micro.Bar;
      int next = step + 1;
      while (next < steps.size() && steps.get(next).micro() instanceof Micro.PollSlot) {
        next++;
      }
      return before
          && threadCount >= Kernel.MAX_WORLD
          && next < steps.size()
          && steps.get(next).micro() instanceof Micro.Bar;
    }

    private void prologue(String bases, String abort, String limit) {
      if (target.dependentLaunch()) {
        String blocks = ptx.half();
        String few = ptx.predicate();
        ptx.op("mov.u32 %s, %%nctaid.x", blocks);
        ptx.op("setp.le.u32 %s, %s, %d", few, blocks, FEW_BLOCKS);
        ptx.comment(
            "a small kernel's successors stand ready early; of a large one they take its place");
        ptx.opIf(few, "griddepcontrol.launch_dependents");
        ptx.comment(
            "the previous kernel's memory is complete before anything of this one's is read");
        ptx.op("griddepcontrol.wait");
        ptx.opIf("!" + few, "griddepcontrol.launch_dependents");
      }
      ptx.op("mov.b64 %s, bases", bases);
      ptx.op("ld.param.u64 %s, [state]", state);
      ptx.op("ld.param.u64 %s, [status]", status);
      ptx.op("ld.param.u64 %s, [abort]", abort);
      ptx.op("ld.param.u64 %s, [patience]", limit);
      for (String value : values) {
        ptx.op("ld.param.u64 %s, [v_%s]", exprs.register(value), value);
      }
      String small = ptx.half();
      ptx.op("mov.u32 %s, %%tid.x", small);
      ptx.op("cvt.u64.u32 %s, %s", threads.self(), small);
      ptx.op("mov.b64 %s, %d", threads.count(), threadCount);
      ptx.op("mov.b32 %s, 0", dead);
      ptx.op("mov.b32 %s, 0", failed);
      patience.prepare();
      threads.leader(() -> ptx.op("st.shared.u32 [block_dead], 0"));
      ptx.comment("nobody gives up before the block's flag is cleared");
      ptx.op("bar.sync 0");
      indices();
      ptx.comment("the lane's own line: epoch, then its state words");
      ptx.op("ld.global.u64 %s, [%s]", exprs.register("epoch"), state);
      ptx.op("add.s64 %s, %s, 1", exprs.register("epoch"), exprs.register("epoch"));
      int word = 1;
      for (Lane.State s : lane.persistent()) {
        ptx.op("ld.global.u64 %s, [%s+%d]", exprs.register(s.name()), state, Long.BYTES * word++);
      }
    }

    private int bytesOfBases() {
      int bytes = Long.BYTES * Kernel.bases(form);
      int others = Long.BYTES * (FIXED + values.size());
      if (bytes + others > MAX_PARAMETERS) {
        throw new ProgramException(
            "too many buffers and names for a kernel: form=%s, buffers=%d, names=%d, bytes=%d, max=%d; declare fewer"
                .formatted(
                    form.name(),
                    form.buffers().size(),
                    values.size(),
                    bytes + others,
                    MAX_PARAMETERS));
      }
      return bytes;
    }

    /**
     * Splits the block's number into lane indices, the last one running fastest. There are fewer
     * blocks than 32 bits can count, and a division of so many costs a fraction of a longer one.
     */
    private void indices() {
      String rest = ptx.half();
      String block = ptx.word();
      ptx.op("mov.u32 %s, %%ctaid.x", rest);
      ptx.op("cvt.u64.u32 %s, %s", block, rest);
      ptx.op("mad.lo.s64 %s, %s, %d, %s", state, block, Kernel.LINE, state);
      for (Lane.Index index : lane.lane().indices().reversed()) {
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

    private void step(Step step) {
      Micro micro = step.micro();
      if (!(micro instanceof Micro.Label)) {
        ptx.comment(StepPrinter.print(micro));
        if (!step.why().isEmpty() && !step.why().equals(StepPrinter.print(micro))) {
          ptx.comment("  for: " + step.why());
        }
      }
      switch (micro) {
        case Micro.Label(int id) -> ptx.place("$L" + id);
        case Micro.Jump(int label) -> {
          patience.leave(LAST);
          ptx.op("bra $L%d", label);
        }
        case Micro.Unless(var condition, int label) -> {
          String no = ptx.predicate();
          ptx.op("not.pred %s, %s", no, exprs.holds(condition));
          ptx.opIf(no, "bra $L%d", label);
        }
        case Micro.Set(var register, var value) ->
            ptx.op("mov.b64 %s, %s", exprs.register(register), exprs.of(value));
        case Micro.Bar() -> {
          ptx.op("bar.sync 0");
          patience.learn(EXIT);
        }
        case Micro.Fence(var scope, boolean strict) ->
            ptx.op("fence.%s.%s", strict ? "sc" : "acq_rel", scope.spelling());
        case Micro.Copy c -> copies.copy(c);
        case Micro.WriteSlot w -> slots.write(w);
        case Micro.PollSlot p -> slots.poll(p);
        case Micro.LoadWord l -> load(l);
        case Micro.StoreWord(var word, int width, var value) -> {
          String content = exprs.of(value);
          String address = addresses.buffer(word.buffer(), exprs.register("r"), word.offset());
          String skip = ptx.label("failed");
          threads.working(skip);
          threads.leader(() -> ptx.op("st.global.u%d [%s], %s", bits(width), address, content));
          ptx.place(skip);
        }
        case Micro.Check(var condition, int code) -> {
          String fails = ptx.predicate();
          ptx.op("not.pred %s, %s", fails, exprs.holds(condition));
          fail(fails, code);
        }
        case Micro.End() -> end();
        case Micro.UnlessKind u -> throw unsupported(micro);
        case Micro.OnWord w -> throw unsupported(micro);
        case Micro.AwaitLane a -> throw unsupported(micro);
        case Micro.Post p -> throw unsupported(micro);
        case Micro.AwaitQueue a -> throw unsupported(micro);
        case Micro.Consist c -> throw unsupported(micro);
      }
    }

    private void load(Micro.LoadWord l) {
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

    /** Remembers the first failure of the lane; the condition is the same in all threads. */
    private void fail(String predicate, int code) {
      String first = ptx.predicate();
      ptx.op("setp.eq.and.u32 %s, %s, 0, %s", first, failed, predicate);
      ptx.opIf(first, "mov.b32 %s, %d", failed, code);
    }

    private void end() {
      String over = ptx.label("over");
      String fine = ptx.predicate();
      threads.leader(() -> {
        ptx.op("st.global.u64 [%s], %s", state, exprs.register("epoch"));
        int word = 1;
        for (Lane.State s : lane.persistent()) {
          ptx.op("st.global.u64 [%s+%d], %s", state, Long.BYTES * word++, exprs.register(s.name()));
        }
        ptx.op("setp.eq.u32 %s, %s, 0", fine, failed);
        ptx.opIf(fine, "bra %s", over);
        String code = ptx.word();
        String seen = ptx.word();
        ptx.op("cvt.u64.u32 %s, %s", code, failed);
        ptx.op("add.s64 %s, %s, %d", code, code, Status.FAILED);
        ptx.op("atom.relaxed.gpu.global.cas.b64 %s, [%s], 0, %s", seen, status, code);
        ptx.place(over);
      });
      ptx.place(EXIT);
      ptx.op("ret");
    }

    private ProgramException unsupported(Micro micro) {
      return new ProgramException(
          "operation has no PTX form yet: form=%s, lane=%s, operation=%s; use NVLink peers and sm lanes"
              .formatted(form.name(), lane.lane().name(), StepPrinter.print(micro)));
    }
  }
}
