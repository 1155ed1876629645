package dev.oriel.it.check;

import dev.oriel.it.options.UnreadableReason;
import dev.oriel.sim.replay.CampaignResults;
import dev.oriel.sim.replay.CampaignText;
import dev.oriel.sim.replay.ChecksummedReport;
import dev.oriel.sim.replay.JsonValue;
import dev.oriel.sim.replay.ReplayException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The result of one part, or of several that were merged.
 *
 * @param outputs the program's promises, which are the same in each part
 */
record PartReport(CampaignResults results, Optional<JsonValue> outputs) {
  static final String REPORT = "report";

  /** The program's promises. */
  static final String OUTPUTS = "outputs";

  /**
   * Reads a file.
   *
   * @throws ReplayException that says why it has no result
   */
  static PartReport read(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new ReplayException(
          "no such file: path=%s; give a regular file that oriel check --json wrote"
              .formatted(file));
    }
    try {
      Map<String, JsonValue> members = ChecksummedReport.open(Files.readString(file));
      JsonValue report = members.get(REPORT);
      if (report != null) {
        return new PartReport(CampaignText.of(report), Optional.ofNullable(members.get(OUTPUTS)));
      }
    } catch (IOException e) {
      throw new ReplayException(
          "cannot read a result: file=%s, reason=%s; check the file"
              .formatted(file, UnreadableReason.reason(e)));
    } catch (ReplayException e) {
      throw new ReplayException("not a result: file=%s: %s".formatted(file, e.getMessage()));
    }
    throw new ReplayException(
        "not a result: file=%s, missing member: name=%s; give a file that oriel check --json wrote"
            .formatted(file, REPORT));
  }
}
