package dev.oriel.it.show;

import dev.oriel.cuda.ptx.PtxCompiler;
import dev.oriel.cuda.ptx.PtxTarget;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.ProgramOptions;
import java.io.PrintWriter;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code oriel show}: prints a program as text, as micro-operations, or as PTX. */
@Command(
    name = "show",
    description = "Print a program: its text, its micro-operations, or its PTX.",
    mixinStandardHelpOptions = true)
public final class ShowCommand implements Callable<Integer> {

  /** What to print. */
  enum As {
    TEXT,
    NVLINK,
    RDMA,
    MIXED,
    PTX
  }

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ProgramOptions options = new ProgramOptions();

  @Option(
      names = "--as",
      defaultValue = "text",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  private As as = As.TEXT;

  @Option(
      names = "--target",
      defaultValue = "sm_90",
      description =
          "GPU generation of the PTX: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  private PtxTarget target = PtxTarget.SM_90;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Form form = options.form();
    switch (as) {
      case TEXT -> out.print(FormPrinter.print(form));
      case NVLINK -> out.print(lowered(form, PeerKind.NVLINK).print());
      case RDMA -> out.print(lowered(form, PeerKind.RDMA).print());
      case MIXED -> out.print(lowered(form, PeerKind.NVLINK, PeerKind.RDMA).print());
      case PTX -> out.print(new PtxCompiler(target).compile(lowered(form, PeerKind.NVLINK)).ptx());
    }
    out.flush();
    return ExitCodes.FINE;
  }

  private static LoweredForm lowered(Form form, PeerKind... kinds) {
    return FormLowering.lower(form, Set.of(kinds));
  }
}
