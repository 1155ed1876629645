package dev.oriel.it.check;

import dev.oriel.domain.release.ReleaseName;
import dev.oriel.it.options.UnreadableReason;
import dev.oriel.it.words.ShellWords;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.replay.CampaignResults;
import dev.oriel.sim.replay.CampaignShard;
import dev.oriel.sim.replay.ChecksummedReport;
import dev.oriel.sim.replay.JsonValue;
import dev.oriel.sim.replay.JsonValue.Elements;
import dev.oriel.sim.replay.JsonValue.Text;
import dev.oriel.sim.replay.JsonValue.Whole;
import dev.oriel.sim.replay.ReplayException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The file by which the parts of a campaign and its merge recognise each other.
 *
 * @param id names the release, the program, its steps and all that is assumed and drawn
 * @param parts their number
 * @param words the command line of a part, without its number
 * @param alone the command that runs one part again, with {@link #NUMBER} in place of its number
 *     and {@link #FOLDER} in place of the campaign's folder
 */
public record CampaignFile(String id, int parts, List<String> words, String alone) {
  public static final String NAME = "campaign.json";

  /** The folder of the results. */
  public static final String RESULTS = "parts";

  /** Stands for the number of a part. */
  public static final String NUMBER = "@NUMBER@";

  /** Stands for the campaign's folder. */
  public static final String FOLDER = "@FOLDER@";

  /** The most bytes of the file. */
  private static final long LONGEST = 1 << 20;

  private static final String ID = "campaign";
  private static final String PARTS = "parts";
  private static final String WORDS = "command";
  private static final String ALONE = "alone";
  private static final String RELEASE = "release";

  /** The pieces of an id that the text of a program decides. */
  private static final Set<String> OF_PROGRAM = Set.of("program", "lowered");

  public CampaignFile {
    words = List.copyOf(words);
  }

  /** The id of a campaign with this release. */
  static String id(String identity, String settings) {
    return "%s=%s, %s, %s".formatted(RELEASE, ReleaseName.NAME, identity, settings);
  }

  /** The file's text. */
  public String print() {
    Map<String, JsonValue> all = new TreeMap<>();
    all.put(ID, new Text(id));
    all.put(PARTS, new Whole(parts));
    all.put(WORDS, new Elements(words.stream().<JsonValue>map(Text::new).toList()));
    all.put(ALONE, new Text(alone));
    return ChecksummedReport.of(all).print() + System.lineSeparator();
  }

  /** Reads the file in that folder. */
  static CampaignFile in(Path folder) {
    Path file = folder.resolve(NAME);
    if (!Files.isRegularFile(file)) {
      throw MachineException.lacking(
          "no campaign is there: file=%s; name a folder that oriel campaign wrote and that this host can read"
              .formatted(file));
    }
    try {
      long bytes = Files.size(file);
      if (bytes > LONGEST) {
        throw new ReplayException(
            "file too long: bytes=%d, max=%d; give a file that oriel campaign wrote"
                .formatted(bytes, LONGEST));
      }
      return of(ChecksummedReport.open(Files.readString(file)));
    } catch (IOException e) {
      throw MachineException.lacking(
          "cannot read a campaign: file=%s, reason=%s; check the file"
              .formatted(file, UnreadableReason.reason(e)),
          e);
    } catch (ReplayException e) {
      throw new MachineException("not a campaign: file=%s: %s".formatted(file, e.getMessage()), e);
    }
  }

  private static CampaignFile of(Map<String, JsonValue> members) {
    if (members.get(ID) instanceof Text(String id)
        && members.get(PARTS) instanceof Whole(long parts)
        && members.get(WORDS) instanceof Elements(var words)
        && members.get(ALONE) instanceof Text(String alone)
        && parts >= 1
        && parts <= CampaignShard.MAX_COUNT) {
      return new CampaignFile(
          id, (int) parts, words.stream().map(CampaignFile::word).toList(), alone);
    }
    throw new ReplayException("members are missing; give a file that oriel campaign wrote");
  }

  private static String word(JsonValue value) {
    if (value instanceof Text(String word)) {
      return word;
    }
    throw new ReplayException(
        "a word of its command is no string; give a file that oriel campaign wrote");
  }

  /** The result's file of a part, in the campaign's folder. */
  static Path result(Path folder, int part) {
    return folder.resolve(RESULTS).resolve("part-" + part + ".json");
  }

  /**
   * A difference between a campaign and a part.
   *
   * @param remedy for a part that is to be run
   */
  record Difference(String words, String remedy) {}

  /**
   * The first difference between this campaign and a part; empty if the part belongs to it.
   *
   * @param other the part's own campaign
   */
  Optional<Difference> difference(String other, CampaignShard part) {
    if (!id.equals(other)) {
      String mine = CampaignResults.difference(id, other);
      String piece = mine.replaceFirst("^'", "").split("=", 2)[0];
      String facts =
          ": campaign=%s, part=%s".formatted(mine, CampaignResults.difference(other, id));
      if (piece.equals(RELEASE)) {
        return Optional.of(
            new Difference(
                "another version of Oriel" + facts, "run the version that wrote the campaign"));
      }
      return Optional.of(
          OF_PROGRAM.contains(piece)
              ? new Difference(
                  "another program" + facts, "restore the program's text in the campaign's folder")
              : new Difference(
                  "other options" + facts, "give the options that the folder's part.sh gives"));
    }
    return part.count() == parts
        ? Optional.empty()
        : Optional.of(
            new Difference(
                "another number of parts: campaign=%d, part=%d".formatted(parts, part.count()),
                "write --shard i/" + parts));
  }

  /** The command that runs one part of the campaign in that folder again. */
  String alone(Path folder, int part) {
    String quoted = ShellWords.quoted(folder.toAbsolutePath().normalize().toString());
    return alone.replace(NUMBER, Integer.toString(part)).replace(FOLDER, quoted);
  }
}
