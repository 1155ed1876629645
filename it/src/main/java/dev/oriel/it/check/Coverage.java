package dev.oriel.it.check;

import dev.oriel.domain.topology.PeerKind;
import dev.oriel.sim.search.Report;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What one check looked at: every combination that was checked, the one that fails last if one
 * does, those that the program refused, and how many more it would have looked at.
 */
record Coverage(List<Checked> checked, List<Refused> refused, int left) {

  /** A combination with what came of it. */
  record Checked(Combination combination, Report report) {}

  /** A combination that cannot be, in whose world and with which values, and why. */
  record Refused(String world, Map<String, Long> params, String reason) {
    Refused {
      params = Collections.unmodifiableMap(new TreeMap<>(params));
    }

    /** The reason without its facts. */
    String what() {
      int facts = reason.indexOf(':');
      return facts < 0 ? reason : reason.substring(0, facts);
    }
  }

  Coverage {
    checked = List.copyOf(checked);
    refused = List.copyOf(refused);
  }

  /** Whether something fails. */
  boolean failed() {
    return checked.getLast().report().found().isPresent();
  }

  /** Whether there is but one combination. */
  boolean single() {
    return checked.size() == 1;
  }

  /** The one that a verdict speaks of: that which fails, or else the first. */
  Checked shown() {
    return failed() ? checked.getLast() : checked.getFirst();
  }

  /** The one of whose outputs least is promised: where all are alike, the first. */
  Checked silent() {
    if (failed()) {
      return shown();
    }
    return checked.stream()
        .filter(one -> one.report().verdict().outputs().unpromised() > 0)
        .findFirst()
        .orElseGet(() ->
            checked.stream()
                .filter(one -> !one.report().verdict().outputs().complete())
                .findFirst()
                .orElse(checked.getFirst()));
  }

  /** Every bound that the search of one of them hit. */
  List<String> bounds() {
    return checked.stream()
        .flatMap(one -> one.report().verdict().bounds().stream())
        .distinct()
        .toList();
  }

  /** Every kind of link that was looked at. */
  Set<PeerKind> links() {
    Set<PeerKind> links = EnumSet.noneOf(PeerKind.class);
    checked.forEach(one -> links.addAll(one.combination().topology().kinds()));
    return links;
  }

  /** The most ranks of a combination. */
  int ranks() {
    return checked.stream().mapToInt(one -> one.combination().topology().world()).max().orElse(0);
  }
}
