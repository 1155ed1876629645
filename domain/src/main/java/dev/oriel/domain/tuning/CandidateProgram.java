package dev.oriel.domain.tuning;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.rewrite.ReductionEdits;
import dev.oriel.domain.topology.Topology;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A program that implements the requested collective.
 *
 * @param name its name in a choice, without blanks
 * @param form whose parameter {@code B} is the bytes of the key
 */
public record CandidateProgram(String name, Form form) {

  public CandidateProgram {
    if (name.isEmpty() || !name.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw new ProgramException(
          "bad name of a candidate: name=" + name + "; use visible ASCII characters");
    }
  }

  /** The form of this candidate for these elements and lanes; absent ones stay as in its text. */
  public Form form(Optional<TuningKey.Element> element, Optional<LaneCount> lanes) {
    Form typed = element.map(e -> ReductionEdits.with(form, e.op(), e.type())).orElse(form);
    return lanes.map(count -> count.in(typed)).orElse(typed);
  }

  /**
   * The program of this candidate under a key. A parameter that the world determines has that
   * value; any other except the bytes is 0.
   *
   * @throws ProgramException if there is no such program
   */
  public Program bind(TuningKey key, Topology topology, Optional<LaneCount> lanes) {
    Form meant = form(key.element(), lanes);
    Map<String, Long> params = new TreeMap<>();
    meant
        .params()
        .forEach(param -> params.put(param.name(), WorldParams.value(param, topology).orElse(0)));
    params.put("B", key.bytes());
    return Program.bind(meant, key.world(), params);
  }
}
