package dev.oriel.it.check;

import dev.oriel.domain.binding.InputWords;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Space;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.Timeouts;
import dev.oriel.sim.search.Report;
import dev.oriel.sim.search.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What a search executed and what it assumed, in words. */
final class Explored {
  private final Program program;
  private final Report report;
  private final Simulation.Terms terms;

  Explored(Program program, Report report, Simulation.Terms terms) {
    this.program = program;
    this.report = report;
    this.terms = terms;
  }

  List<String> words() {
    List<String> words = new ArrayList<>();
    words.add(extent() + orders());
    if (terms.past() != 0) {
      words.add("as if after " + Long.toUnsignedString(terms.past()) + " launches");
    }
    if (!terms.faults().equals(FaultPlan.NONE)) {
      words.add("faults: " + terms.faults());
    }
    if (terms.timeouts() != Timeouts.NEVER) {
      words.add(
          terms.timeouts() == Timeouts.ANY
              ? "waits that may give up at any time"
              : "waits that give up when nothing else can go on");
    }
    words.add("memory rules: " + rules());
    inputs().ifPresent(words::add);
    residency().ifPresent(words::add);
    return words;
  }

  /** One word before the rest: nothing where neither would be the whole truth. */
  private String extent() {
    if (report.found().isPresent()) {
      return "";
    }
    if (report.parts().stream().noneMatch(part -> part.strategy().visitsAll())) {
      return "sampled: ";
    }
    return complete(report) && report.verdict().bounds().isEmpty() ? "complete: " : "";
  }

  private Optional<String> inputs() {
    if (program.form().buffers().stream().map(Buffer::space).noneMatch(Space::filled)) {
      return Optional.empty();
    }
    Set<String> loaded = loaded(program);
    return Optional.of(
        "inputs: random bytes"
            + (loaded.isEmpty() ? "" : ", small words in " + String.join(", ", loaded)));
  }

  /** The inputs of which lanes load words, or of which words name rows. */
  static Set<String> loaded(Program program) {
    Set<String> buffers = new TreeSet<>();
    for (int rank = 0; rank < program.world(); rank++) {
      buffers.addAll(InputWords.of(program.rank(rank)).keySet());
    }
    return buffers;
  }

  private Optional<String> residency() {
    int most = lanes(program);
    int resident = terms.profile().resident();
    if (most <= 1) {
      return Optional.empty();
    }
    return Optional.of(
        resident == 0 || resident >= most
            ? "all %d lanes of a rank at once".formatted(most)
            : "%d of %d lanes of a rank at once".formatted(resident, most));
  }

  /** The most lanes that a rank has. */
  static int lanes(Program program) {
    int most = 0;
    for (int rank = 0; rank < program.world(); rank++) {
      most = Math.max(most, program.rank(rank).lanes().size());
    }
    return most;
  }

  /** Whether some strategy went through all orders that it is to go through. */
  static boolean complete(Report report) {
    return report.found().isEmpty() && report.parts().stream().anyMatch(Explored::complete);
  }

  private static boolean complete(Report.Part part) {
    return part.strategy().visitsAll() && part.bounds().stream().noneMatch(BoundWords::stops);
  }

  private String orders() {
    String launches = count(terms.launches(), "launch", "launches");
    if (report.found().isPresent()) {
      long executions = report.verdict().executions();
      return executions == 1
          ? "1 execution of %s, which fails".formatted(launches)
          : "%d executions of %s each, of which the last fails".formatted(executions, launches);
    }
    List<String> words = new ArrayList<>();
    long drawn = 0;
    for (Report.Part part : report.parts()) {
      if (part.strategy().visitsAll()) {
        words.add(all(part));
      } else {
        drawn += part.executions();
      }
    }
    if (drawn > 0 || words.isEmpty()) {
      words.add(count(drawn, "drawn execution", "drawn executions"));
    }
    return String.join(" and ", words) + ", " + launches + " each";
  }

  private String all(Report.Part part) {
    boolean shard = report.verdict().bounds().stream().anyMatch(BoundWords::shard);
    if (shard || !complete(part)) {
      return "a part of all orders";
    }
    return part.strategy() == Strategy.FULL
        ? "every order of all steps"
        : "every order of synchronisation";
  }

  /** Names are short: what they assume is a table of CHECKING.md. */
  private String rules() {
    String name = terms.profile().name();
    if (terms.profile().ordered()) {
      return name + " (every access at once, in one order)";
    }
    return switch (name) {
      case "L1" -> "L1 (PTX; RDMA in order)";
      case "L2" -> "L2 (PTX and RDMA)";
      case "L3" -> "L3 (PTX and RDMA at their weakest)";
      default -> name;
    };
  }

  private static String count(long count, String one, String many) {
    return count + " " + (count == 1 ? one : many);
  }
}
