package dev.oriel.domain.certificate;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.release.ReleaseName;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.LaneResidency;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A search of every order found no error in the executions of one program text. This holds in all
 * the cases and for any number of launches, if memory keeps at least the order that {@code memory}
 * promises.
 *
 * @param release the release that searched; another one may know more errors
 * @param name of the program
 * @param form the digest of the program's text
 * @param memory the memory model of the search, as {@code --profile} names it
 */
public record Certificate(
    String release, String name, String form, String memory, List<ProvedCase> cases) {
  private static final int NAMED = 8;

  /** The limit in the name of a memory model; 0 is none. */
  private static final Pattern RESIDENT = Pattern.compile(",resident=([1-9]\\d{0,7})(?!\\d)");

  public Certificate {
    cases = List.copyOf(cases);
  }

  /** Why it does not cover that program in that topology; empty if it does. */
  public Optional<String> refusal(Program program, Topology topology) {
    if (!release.equals(ReleaseName.NAME)) {
      return Optional.of(
          "certificate of another release: program=%s, certificate=%s, release=%s; run oriel prove again"
              .formatted(name, release, ReleaseName.NAME));
    }
    String digest = program.form().digest();
    if (!form.equals(digest)) {
      return Optional.of(
          "certificate of another program: certificate=%s %s, program=%s %s; run oriel prove for this text, with the same --type, --op, --in-place and --offset"
              .formatted(name, form, program.form().name(), digest));
    }
    int lanes = LaneResidency.blocks(program);
    if (resident() < lanes) {
      return Optional.of(
          "certificate for fewer lanes at once: program=%s, certificate=%s, lanes=%d; machines run all lanes of a rank at once: run oriel prove without resident=%d"
              .formatted(name, memory, lanes, resident()));
    }
    if (cases.stream().anyMatch(one -> one.is(program, topology))) {
      return Optional.empty();
    }
    List<ProvedCase> here = cases.stream().filter(one -> one.sameLinks(topology)).toList();
    if (here.isEmpty()) {
      return Optional.of(
          "world not proved: program=%s, ranks=%d, hosts=%d, proved=%s; run oriel prove with this --world"
              .formatted(
                  name,
                  topology.world(),
                  topology.hosts().size(),
                  list(cases.stream().map(one -> one.world().toString()).distinct().toList())));
    }
    boolean values = here.stream().noneMatch(one -> one.params().equals(program.params()));
    return Optional.of(
        values
            ? "values not proved: program=%s, world=%s, values=%s, proved=%s; run oriel prove with these values"
                .formatted(
                    name,
                    here.getFirst().world(),
                    program.params(),
                    list(here.stream().map(one -> one.values().strip()).toList()))
            : "certificate of other micro-operations: program=%s, world=%s; run oriel prove again"
                .formatted(name, here.getFirst().world()));
  }

  /** How many lanes of a rank ran at once in the search. */
  private int resident() {
    Matcher limited = RESIDENT.matcher(memory);
    return limited.find() ? Integer.parseInt(limited.group(1)) : Integer.MAX_VALUE;
  }

  private static String list(List<String> words) {
    String first = words.stream().limit(NAMED).collect(Collectors.joining(" | "));
    return words.size() <= NAMED ? first : first + " | " + (words.size() - NAMED) + " more";
  }
}
