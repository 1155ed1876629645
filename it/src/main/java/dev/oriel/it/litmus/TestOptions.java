package dev.oriel.it.litmus;

import dev.oriel.sim.litmus.answer.MemoryModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The litmus tests and the memory model: the options of all commands on litmus tests. */
final class TestOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "1..*",
      paramLabel = "PATH",
      description =
          "a litmus file, or a folder whose *.litmus files, at any depth, are taken in order of path")
  private List<Path> paths = new ArrayList<>();

  @Option(
      names = "--model",
      defaultValue = "ptx-7.5",
      description = "ptx-6.0, ptx-7.5 or ptx-isa (default: ${DEFAULT-VALUE})")
  private String model = "";

  /** The files, in order; omitted files of folders have the reason with them. */
  List<LitmusFiles.FoundFile> files() {
    return LitmusFiles.named(spec, paths);
  }

  /** Whether the user named this file itself. */
  boolean names(Path file) {
    return paths.contains(file);
  }

  MemoryModel model() {
    return MemoryModel.parse(model);
  }
}
