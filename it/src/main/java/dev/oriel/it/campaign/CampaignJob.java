package dev.oriel.it.campaign;

import dev.oriel.domain.release.ReleaseName;
import dev.oriel.it.words.ShellWords;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A campaign as bash and Slurm see it.
 *
 * @param name of its jobs, a DNS label
 * @param oriel the command on the hosts that run parts
 * @param words the command line of a part after {@code oriel}, without its number
 */
record CampaignJob(String name, int parts, String oriel, List<String> words) {
  /** The most characters of a program's name: a pod's name has at most 63, with its number. */
  private static final int LONGEST = 30;

  private static final int DIGITS = 8;

  CampaignJob {
    words = List.copyOf(words);
  }

  /** A name of jobs for a program in a campaign with that digest. */
  static String name(String program, String digest) {
    String label = program.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    String start = label.substring(0, Math.min(LONGEST, label.length()));
    return "oriel-%s-%s".formatted(start, digest.substring(0, DIGITS)).replaceAll("-+", "-");
  }

  /** The values that all texts share. */
  Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("RELEASE", ReleaseName.NAME);
    values.put("NAME", name);
    values.put("PARTS", Integer.toString(parts));
    values.put("ORIEL", ShellWords.quoted(oriel));
    values.put("WORDS", ShellWords.line(words));
    values.put("FOLDER", CampaignTemplate.inner("folder.sh", values));
    values.put("COMMAND", CampaignTemplate.inner("command.sh", values));
    return values;
  }
}
