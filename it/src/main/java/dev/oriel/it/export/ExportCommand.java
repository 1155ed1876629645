package dev.oriel.it.export;

import dev.oriel.cuda.ptx.PtxKernel;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.certificate.Certificate;
import dev.oriel.domain.certificate.CertificateSet;
import dev.oriel.domain.mscclpp.ExportedPlan;
import dev.oriel.domain.topology.Topology;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.OptionSpellings;
import dev.oriel.it.options.ProgramOptions;
import dev.oriel.it.options.ProvedOption;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.file.AtomicFileWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code oriel export}: a program as a folder that C and Python launch without Java, or as an
 * execution plan of MSCCL++.
 */
@Command(
    name = "export",
    description =
        "Write a program as a folder that C and Python launch on the GPUs of a host without Java, or as an MSCCL++ execution plan.",
    mixinStandardHelpOptions = true)
public final class ExportCommand implements Callable<Integer> {
  /** The most cases of a folder. */
  private static final int MOST = 64;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ProgramOptions options = new ProgramOptions();
  @Mixin private ProvedOption proved = new ProvedOption();

  /** The forms of an exported program. */
  enum Target {
    FOLDER,
    MSCCLPP
  }

  static final class OfTarget implements ITypeConverter<Target> {
    @Override
    public Target convert(String text) {
      return OptionSpellings.one(
          Target.values(), target -> target.name().toLowerCase(Locale.ROOT), text);
    }
  }

  @Option(
      names = "--as",
      paramLabel = "WORD",
      defaultValue = "folder",
      converter = OfTarget.class,
      description =
          "folder, or mscclpp for an execution plan in JSON that MSCCL++ executes (default: ${DEFAULT-VALUE})")
  private Target target = Target.FOLDER;

  @Option(
      names = "--to",
      paramLabel = "PATH",
      required = true,
      description = "a folder that does not exist yet; with --as mscclpp a new file")
  private Path folder = Path.of("");

  @Option(names = "--unproved", description = "export a program that no certificate covers")
  private boolean unproved;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (Files.exists(folder)) {
      throw new MachineException(
          "%s exists: path=%s; name a new one"
              .formatted(Files.isDirectory(folder) ? "folder" : "file", folder));
    }
    Topology topology = options.topology();
    if (target == Target.FOLDER) {
      requireOneHost(topology);
    }
    CertificateSet certificates =
        proved.demanded() ? proved.certificates() : new CertificateSet(List.of());
    List<ExportedProgram.Case> cases = new ArrayList<>();
    for (Program program : options.fitEach(MOST)) {
      cases.add(new ExportedProgram.Case(program, rules(program, topology, certificates)));
    }
    if (target == Target.MSCCLPP) {
      plan(topology, cases, out);
      return ExitCodes.FINE;
    }
    ExportedProgram program = ExportedProgram.of(cases);
    boolean tested = new ExportFolder(program, folder).write();
    out.printf("exported %s for %d ranks: %s%n", program.form().name(), program.world(), folder);
    cases(cases, out);
    out.println(
        tested
            ? "test     python3 %s/oriel_launch.py --self-test".formatted(folder)
            : "test     none: inputs and outputs of these sizes are more than %d MiB, or a post-condition has a condition; export smaller sizes too"
                .formatted(SelfTestData.MOST >> 20));
    return ExitCodes.FINE;
  }

  private static void cases(List<ExportedProgram.Case> cases, PrintWriter out) {
    for (ExportedProgram.Case one : cases) {
      out.printf(
          "case     %s%s%n",
          one.params().isEmpty() ? "(no parameters)" : one.params(),
          one.proved().isEmpty() ? ", not proved" : ", proved under " + one.proved());
    }
  }

  /** The plan is written only if it says all of every case. */
  private void plan(Topology topology, List<ExportedProgram.Case> cases, PrintWriter out)
      throws IOException {
    if (topology.hosts().size() != 1) {
      throw new ParameterException(
          spec.commandLine(),
          "world cannot be exported: hosts=%d; a plan's channels are mapped memory: use --world 1x2 or more"
              .formatted(topology.hosts().size()));
    }
    ExportedPlan plan = ExportedPlan.of(cases.stream().map(ExportedProgram.Case::program).toList());
    AtomicFileWriter.write(folder, plan.text());
    out.printf("exported %s for %d ranks: %s%n", plan.name(), plan.world(), folder);
    cases(cases, out);
    out.printf("sizes    %s%n", plan.sizes());
    plan.notes().forEach(note -> out.printf("note     %s%n", note));
    out.printf("check    oriel check %s%n", folder);
  }

  private void requireOneHost(Topology topology) {
    if (topology.hosts().size() != 1 || topology.world() > PtxKernel.MAX_WORLD) {
      throw new ParameterException(
          spec.commandLine(),
          "world cannot be exported: ranks=%d, hosts=%d; loaders serve the GPUs of one host, at most %d: use --world 1x2 to 1x%d"
              .formatted(
                  topology.world(),
                  topology.hosts().size(),
                  PtxKernel.MAX_WORLD,
                  PtxKernel.MAX_WORLD));
    }
  }

  /** The memory rules under which a certificate proves the program; empty if none needs to. */
  private String rules(Program program, Topology topology, CertificateSet certificates) {
    Optional<String> rules = certificates.covering(program, topology).map(Certificate::memory);
    if (rules.isEmpty() && !unproved) {
      String why =
          proved.demanded()
              ? certificates.refusal(program, topology).orElseThrow()
              : "no certificate: program=%s, values=%s; run oriel prove --keep FILE and give --proved FILE"
                  .formatted(program.form().name(), program.params());
      throw new MachineException(why + ", or export with --unproved");
    }
    return rules.orElse("");
  }
}
