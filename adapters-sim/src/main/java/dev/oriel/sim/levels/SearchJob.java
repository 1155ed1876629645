package dev.oriel.sim.levels;

import dev.oriel.ports.MachineException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/**
 * A search that workers can make alone: the text of the form, and a token that names everything
 * else. Equal jobs are equal searches.
 *
 * @param lowered the digest of the steps, which each worker compares with its own
 * @param release the version of Oriel, which each worker compares with its own
 * @param facts the same for people: what they gave, and under which name
 * @param rooms the rooms of a state's parts; fingerprints of states with other rooms may differ
 */
public record SearchJob(
    String form,
    String token,
    String lowered,
    String release,
    Map<String, String> facts,
    Map<String, Integer> rooms)
    implements Serializable {
  public SearchJob {
    facts = Collections.unmodifiableMap(new TreeMap<>(facts));
    rooms = Collections.unmodifiableMap(new TreeMap<>(rooms));
  }

  /** The same search with other rooms. */
  public SearchJob with(Map<String, Integer> others) {
    return new SearchJob(form, token, lowered, release, facts, others);
  }

  /** Digits that distinguish searches, whatever their rooms. */
  public String digest() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String part : new String[] {form, token, lowered, release}) {
        digest.update(part.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
      }
      return HexFormat.of().formatHex(digest.digest(), 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Refuses a worker's own release or steps if they are others.
   *
   * @throws MachineException naming both
   */
  public static void require(String what, String wanted, String found) {
    if (!wanted.equals(found)) {
      throw new MachineException(
          "worker with another version: %s=%s, worker=%s; give all workers the jars of one build of Oriel"
              .formatted(what, wanted, found));
    }
  }
}
