package dev.oriel.it.check;

import dev.oriel.domain.program.Form;
import dev.oriel.it.options.ReadTexts;
import dev.oriel.it.options.SourceText;
import dev.oriel.sim.replay.JsonValue;
import dev.oriel.sim.replay.JsonValue.Elements;
import dev.oriel.sim.replay.JsonValue.Members;
import dev.oriel.sim.replay.JsonValue.Text;
import dev.oriel.sim.replay.JsonValue.Whole;
import dev.oriel.sim.search.AnyLaunches;
import dev.oriel.sim.search.CheckReport;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What was proved, for machines; the help of {@code oriel prove} names the members. */
final class ProofJson {
  private ProofJson() {}

  static JsonValue of(
      Form form, Proof proof, Optional<Path> kept, Optional<SourceText> source, ReadTexts texts) {
    CheckCoverage coverage = proof.coverage();
    CheckReport shown = coverage.shown().report();
    Map<String, JsonValue> all = new TreeMap<>();
    all.put("name", new Text(form.name()));
    all.put("digest", new Text(form.digest()));
    all.put("model", new Text(shown.verdict().model()));
    all.put("verdict", new Text(verdict(proof)));
    all.put(
        "combinations",
        new Elements(coverage.checked().stream().map(ProofJson::combination).toList()));
    all.put(
        "refused",
        new Elements(
            coverage.refused().stream().map(one -> CheckJson.refused(one, texts)).toList()));
    all.put("left", new Whole(coverage.left().count()));
    all.put("sampled", new Whole(coverage.sampled().combinations()));
    all.put("kept", new Text(kept.map(Path::toString).orElse("")));
    all.put(
        "violation",
        new Elements(
            shown.verdict().violation().stream()
                .<JsonValue>map(
                    found -> unshrunk(CheckJson.violation(found, shown, source, Optional.empty())))
                .toList()));
    return new Members(all);
  }

  /** A proof looks for no smaller case. */
  private static JsonValue unshrunk(Members violation) {
    Map<String, JsonValue> members = new TreeMap<>(violation.members());
    members.remove("small");
    members.remove("smaller");
    return new Members(members);
  }

  private static String verdict(Proof proof) {
    if (proof.coverage().failed()) {
      return "violation";
    }
    return proof.complete() ? "proved" : "not proved";
  }

  private static JsonValue combination(CheckCoverage.CheckedCombination one) {
    Optional<String> open = Proof.open(one);
    return new Members(
        Map.of(
            "world", new Text(one.combination().world()),
            "params", CheckJson.params(one.combination().program().params()),
            "program", new Text(one.report().verdict().program()),
            "states", new Whole(one.report().anyLaunches().map(AnyLaunches::states).orElse(0L)),
            "proved", new Whole(open.isEmpty() ? 1 : 0),
            "reason", new Text(open.orElse(""))));
  }
}
