package dev.oriel.it.litmus;

import dev.oriel.sim.litmus.answer.MemoryModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Which litmus tests, under which memory model: the options of every command about them. */
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

  /** The files, in order; those of folders that are left out say why. */
  List<LitmusFiles.Found> files() {
    return LitmusFiles.named(spec, paths);
  }

  /** Whether that very file was asked for. */
  boolean names(Path file) {
    return paths.contains(file);
  }

  MemoryModel model() {
    return MemoryModel.parse(model);
  }
}
