package dev.oriel.it.words;

import dev.oriel.domain.binding.OutputCoverage;
import dev.oriel.domain.binding.OutputCoverage.Part;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A program's binding in words: its world, its parameter values, its outputs. */
public final class WorldWords {
  private WorldWords() {}

  /** The program's name and parameter values. */
  public static String program(Program program) {
    return program.form().name()
        + program.params().entrySet().stream()
            .map(param -> ", " + param.getKey() + "=" + param.getValue())
            .collect(Collectors.joining());
  }

  /** The world as options write it, its numbers of ranks and hosts, and its links. */
  public static String world(String spelled, Topology topology) {
    int ranks = topology.world();
    int hosts = topology.hosts().size();
    if (ranks == 1) {
      return spelled + ": one rank";
    }
    boolean near = topology.kinds().contains(PeerKind.NVLINK);
    boolean far = topology.kinds().contains(PeerKind.RDMA);
    String links =
        near && far
            ? "NVLink within a host, RDMA between hosts"
            : near ? "linked by NVLink" : "linked by RDMA";
    return "%s: %d ranks on %s, %s"
        .formatted(spelled, ranks, hosts == 1 ? "one host" : hosts + " hosts", links);
  }

  /** The output bytes that are not promised, or only for some inputs. */
  public static List<String> notPromised(OutputCoverage outputs, int world) {
    List<String> words = new ArrayList<>();
    long silent = outputs.unpromised();
    if (silent > 0) {
      words.add(
          "%d of %d output bytes: %s"
              .formatted(silent, outputs.bytes(), first(outputs.silent(), world)));
      rest(outputs.silent(), world, words);
    }
    if (!outputs.conditional().isEmpty()) {
      long some = outputs.conditional().stream().mapToLong(Part::bytes).sum();
      words.add(
          "up to %d of %d output bytes, as words in memory say: %s"
              .formatted(some, outputs.bytes(), first(outputs.conditional(), world)));
      rest(outputs.conditional(), world, words);
    }
    return words;
  }

  private static String first(List<Part> parts, int world) {
    return parts.getFirst().text(world);
  }

  private static void rest(List<Part> parts, int world, List<String> to) {
    parts.stream().skip(1).map(part -> part.text(world)).forEach(to::add);
  }
}
