package dev.oriel.it.campaign;

import dev.oriel.it.check.CampaignFile;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.file.AtomicFileWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/** The folder of a campaign. */
final class CampaignFolder {
  private static final String SUBMIT = "submit.sh";

  private final Path folder;

  CampaignFolder(Path folder) {
    this.folder = folder;
  }

  /** Writes all files. The one that makes the folder a campaign comes last. */
  void write(Map<String, String> texts, CampaignInputs inputs, CampaignFile file)
      throws IOException {
    Files.createDirectories(folder.resolve(CampaignFile.RESULTS));
    Files.createDirectories(folder.resolve("logs"));
    for (Map.Entry<String, String> input : inputs.files().entrySet()) {
      AtomicFileWriter.write(folder.resolve(input.getKey()), input.getValue());
    }
    for (Map.Entry<String, String> text : texts.entrySet()) {
      Path script = folder.resolve(text.getKey());
      AtomicFileWriter.write(script, text.getValue());
      if (text.getKey().endsWith(".sh")
          && Files.getFileStore(script).supportsFileAttributeView(PosixFileAttributeView.class)) {
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
    }
    AtomicFileWriter.write(folder.resolve(CampaignFile.NAME), file.print());
  }

  /** Submits the campaign, and prints what the scheduler answers. */
  void submit(PrintWriter out) throws IOException {
    Process process =
        new ProcessBuilder("bash", SUBMIT)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        out.println(line);
      }
    }
    int code = exit(process);
    if (code != 0) {
      throw MachineException.lacking(
          "not submitted: folder=%s, exit=%d; see the message above, then run its submit.sh"
              .formatted(folder, code));
    }
  }

  private static int exit(Process process) {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroy();
      throw MachineException.lacking("interrupted while it was submitted; run submit.sh again", e);
    }
  }
}
