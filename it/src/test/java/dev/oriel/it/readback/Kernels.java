package dev.oriel.it.readback;

import dev.oriel.cuda.ptx.PtxCompiler;
import dev.oriel.cuda.ptx.PtxKernel;
import dev.oriel.cuda.ptx.PtxTarget;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.PeerKind;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * A form's kernel for that many hosts with that many ranks each.
 *
 * @param code the text that is read back
 */
record Kernels(int hosts, int host, LoweredForm lowered, PtxKernel kernel, PtxCode code) {
  private static final Pattern STRONG =
      Pattern.compile("\\.(relaxed|acquire|release|acq_rel|sc|volatile|sync|wait)");

  static Kernels of(Form form, int hosts, int host) {
    Set<PeerKind> kinds =
        host == 1
            ? EnumSet.of(PeerKind.RDMA)
            : hosts == 1 ? EnumSet.of(PeerKind.NVLINK) : EnumSet.of(PeerKind.NVLINK, PeerKind.RDMA);
    LoweredForm lowered = FormLowering.lower(form, kinds);
    PtxKernel kernel = print(lowered);
    return new Kernels(hosts, host, lowered, kernel, new PtxCode(new PtxText(kernel.ptx())));
  }

  private static PtxKernel print(LoweredForm lowered) {
    return new PtxCompiler(PtxTarget.SM_90, Optional.of(Rings.FORMAT)).compile(lowered);
  }

  /**
   * The same text for a host of that many ranks; both share the record of executed instructions.
   */
  Kernels on(int ranks) {
    return new Kernels(hosts, ranks, lowered, kernel, code);
  }

  /** The same steps with another text. */
  Kernels with(String text) {
    return new Kernels(hosts, host, lowered, kernel, new PtxCode(new PtxText(text)));
  }

  /** The same steps with a text that is printed from others. */
  Kernels printed(UnaryOperator<LoweredLane> lane) {
    return with(
        print(
                new LoweredForm(
                    lowered.form(), lowered.kinds(), lowered.lanes().stream().map(lane).toList()))
            .ptx());
  }

  /** Reads it back for those parameters, and returns the comparison. */
  Readback compare(Map<String, Long> params, int launches) {
    Readback readback = reader(params);
    readback.compare(launches);
    return readback;
  }

  Readback reader(Map<String, Long> params) {
    Program program = Program.bind(lowered.form(), hosts * host, params);
    return new Readback(program, host, lowered, kernel, _ -> code);
  }

  /** Reads back a kernel for each rank, without the steps that the rank cannot reach. */
  Readback compareEachRank(Map<String, Long> params, int launches) {
    Program program = Program.bind(lowered.form(), hosts * host, params);
    PtxCompiler compiler = new PtxCompiler(PtxTarget.SM_90, Optional.of(Rings.FORMAT));
    Readback readback =
        new Readback(
            program,
            host,
            lowered,
            kernel,
            rank -> new PtxCode(new PtxText(compiler.compile(lowered, rank).ptx())));
    readback.compare(launches);
    return readback;
  }

  /**
   * Instructions that order something, or access words of others, and that no thread executed. Rule
   * <i>timeout</i>: the end of an unsuccessful wait is no step: a poll of the host's abort word,
   * and the status word for the first reason. Here every wait succeeds, so no thread executes
   * these.
   */
  List<PtxText.Instruction> passedOver() {
    return code.passedOver().stream()
        .filter(i -> STRONG.matcher(i.opcode()).find())
        .filter(i -> !code.text().aims(i, "abort") && !code.text().aims(i, "status"))
        .toList();
  }
}
