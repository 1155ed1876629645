package dev.oriel.sim.replay;

import dev.oriel.domain.program.TextDigest;
import dev.oriel.sim.replay.JsonValue.Members;
import dev.oriel.sim.replay.JsonValue.Text;
import dev.oriel.sim.replay.JsonValue.Whole;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reports with a checksum, which detects cut or altered ones. The checksum covers the text of all
 * other members as {@link JsonValue#print} writes them, so spaces and the order of members are
 * free.
 */
public final class ChecksummedReport {
  private static final String FORMAT = "format";
  private static final String CHECKSUM = "checksum";
  private static final long KNOWN = 1;

  private ChecksummedReport() {}

  /** These members with the format's number and a checksum. */
  public static JsonValue of(Map<String, JsonValue> members) {
    Map<String, JsonValue> all = new TreeMap<>(members);
    all.put(FORMAT, new Whole(KNOWN));
    all.put(CHECKSUM, new Text(checksum(all)));
    return new Members(all);
  }

  /**
   * The members of a report that {@link #of} made.
   *
   * @throws ReplayException saying why the text is not such a report
   */
  public static Map<String, JsonValue> open(String text) {
    if (text.isBlank()) {
      throw new ReplayException("empty file; run that part again");
    }
    if (!(JsonValue.parse(text) instanceof Members(var members))) {
      throw new ReplayException("not an object; give a report that Oriel wrote");
    }
    JsonValue format = members.get(FORMAT);
    if (format != null && !format.equals(new Whole(KNOWN))) {
      throw new ReplayException(
          "report of another version: format=%s, known=%d; use the release that wrote it, or run that part again"
              .formatted(ReplayException.shown(format.print()), KNOWN));
    }
    Map<String, JsonValue> sealed = new TreeMap<>(members);
    JsonValue found = sealed.remove(CHECKSUM);
    if (format == null || !(found instanceof Text(String checksum))) {
      throw new ReplayException(
          "report without a checksum: an earlier version wrote it, or it was altered; run that part again");
    }
    if (!checksum.equals(checksum(sealed))) {
      throw new ReplayException(
          "altered report: checksum=%s, computed=%s; copy it again, or run that part again"
              .formatted(ReplayException.shown(checksum), checksum(sealed)));
    }
    return sealed;
  }

  private static String checksum(Map<String, JsonValue> members) {
    return TextDigest.checksum(new Members(members).print());
  }
}
