package dev.oriel.domain.tuning;

import dev.oriel.domain.program.ProgramException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A program and its lanes, in a form that can be stored and sent to other ranks.
 *
 * @param program the name of a candidate
 * @param lanes that replace those of its text, if any
 * @param digest of the candidate's form, to distinguish another text of the same name
 */
public record ProgramChoice(String program, Optional<LaneCount> lanes, String digest) {
  private static final Pattern TEXT =
      Pattern.compile(
          "(\\S+) lanes=(own|([1-9]\\d{0,4})(?:\\+([1-9]\\d{0,4}))?x([1-9]\\d{0,3})) digest=([0-9a-f]+)");

  /** That candidate with these lanes. */
  public static ProgramChoice of(CandidateProgram candidate, Optional<LaneCount> lanes) {
    return new ProgramChoice(candidate.name(), lanes, candidate.form().digest());
  }

  /**
   * Reads the output of {@link #text}.
   *
   * @throws ProgramException if it is not such a text, or matches none of these candidates
   */
  public static ProgramChoice parse(String text, List<CandidateProgram> candidates) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new ProgramException(
          "not a choice: text=%s; it is NAME lanes=own|LANES[+FAR]xTHREADS digest=HEX"
              .formatted(text));
    }
    Optional<LaneCount> lanes =
        parts.group(2).equals("own") ? Optional.empty() : Optional.of(lanes(parts));
    ProgramChoice choice = new ProgramChoice(parts.group(1), lanes, parts.group(6));
    choice.among(candidates);
    return choice;
  }

  private static LaneCount lanes(Matcher parts) {
    int lanes = Integer.parseInt(parts.group(3));
    int far = parts.group(4) == null ? lanes : Integer.parseInt(parts.group(4));
    return new LaneCount(lanes, far, Integer.parseInt(parts.group(5)));
  }

  /**
   * The matching candidate.
   *
   * @throws ProgramException if there is none of that name and digest
   */
  public CandidateProgram among(List<CandidateProgram> candidates) {
    CandidateProgram named =
        candidates.stream()
            .filter(candidate -> candidate.name().equals(program))
            .findFirst()
            .orElseThrow(() ->
                new ProgramException(
                    "unknown program: name=%s; known: %s"
                        .formatted(
                            program,
                            candidates.stream()
                                .map(CandidateProgram::name)
                                .sorted()
                                .collect(Collectors.joining(", ")))));
    if (!named.form().digest().equals(digest)) {
      throw new ProgramException(
          "program has changed: name=%s, chosen=%s, now=%s; tune again"
              .formatted(program, digest, named.form().digest()));
    }
    return named;
  }

  /** The program and its lanes, for people. */
  public String label() {
    return lanes.isEmpty() ? program : program + " lanes=" + spelled();
  }

  /** One line that {@link #parse} reads. */
  public String text() {
    return program + " lanes=" + spelled() + " digest=" + digest;
  }

  private String spelled() {
    return lanes.map(LaneCount::toString).orElse("own");
  }
}
