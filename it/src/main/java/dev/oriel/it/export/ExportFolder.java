package dev.oriel.it.export;

import dev.oriel.cuda.ptx.PtxKernel;
import dev.oriel.cuda.ptx.PtxTarget;
import dev.oriel.ports.MachineException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** Writes the folder of an exported program. */
final class ExportFolder {
  private final ExportedProgram program;
  private final Path folder;
  private final String name;

  ExportFolder(ExportedProgram program, Path folder) {
    this.program = program;
    this.folder = folder;
    this.name = program.symbol();
  }

  /**
   * Writes all files.
   *
   * @return whether there is a self-test
   */
  boolean write() throws IOException {
    Map<String, String> kernels = new TreeMap<>();
    for (Map.Entry<PtxTarget, PtxKernel> kernel : program.targets().entrySet()) {
      kernels.put(kernel.getKey().spelling(), name + "." + kernel.getKey().spelling() + ".ptx");
    }
    Optional<byte[]> test = SelfTestData.of(program);
    String testFile = test.isPresent() ? name + ".self_test" : "";
    Files.createDirectories(folder);
    for (Map.Entry<PtxTarget, PtxKernel> kernel : program.targets().entrySet()) {
      text(
          Objects.requireNonNull(kernels.get(kernel.getKey().spelling())), kernel.getValue().ptx());
    }
    text(name + ".json", DescriptionJson.of(program, kernels, testFile).print() + "\n");
    text(name + ".h", HeaderText.of(program));
    if (test.isPresent()) {
      Files.write(folder.resolve(testFile), test.get());
      text(
          "self_test.c", resource("self_test.c").replace("@NAME@", name).replace("@SYMBOL@", name));
    }
    text("oriel_launch.h", resource("oriel_launch.h"));
    text("oriel_launch.py", resource("oriel_launch.py"));
    return test.isPresent();
  }

  private void text(String file, String text) throws IOException {
    Files.writeString(folder.resolve(file), text, StandardCharsets.US_ASCII);
  }

  private static String resource(String name) throws IOException {
    try (InputStream found = ExportFolder.class.getResourceAsStream("/export/" + name)) {
      if (found == null) {
        throw new MachineException("part of the release is missing: resource=" + name);
      }
      return new String(found.readAllBytes(), StandardCharsets.US_ASCII);
    }
  }
}
