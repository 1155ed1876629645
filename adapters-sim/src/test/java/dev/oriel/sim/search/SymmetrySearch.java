package dev.oriel.sim.search;

import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * The results of a search, independent of the names of ranks: kinds of findings, and final states.
 */
public final class SymmetrySearch {
  public final Set<Finding.Kind> found = EnumSet.noneOf(Finding.Kind.class);
  public final Set<String> ends = new TreeSet<>();
  public long states;
  public boolean cut;

  private static final long STATES = 30_000;

  /** Every execution, over all states or over one state per symmetry class. */
  public static SymmetrySearch of(Simulation simulation, boolean full, boolean symmetric) {
    return of(simulation, full, symmetric, STATES);
  }

  /** The same with a limit of states. */
  public static SymmetrySearch of(
      Simulation simulation, boolean full, boolean symmetric, long states) {
    SymmetrySearch all = new SymmetrySearch();
    SystematicSearch search =
        new SystematicSearch(
            simulation,
            full,
            new Budget(1, states, 100_000, Long.MAX_VALUE),
            finding -> {
              finding.ifPresentOrElse(
                  f -> all.found.add(f.kind()), () -> all.ends.add(canonical(simulation)));
              return true;
            });
    (symmetric ? search.symmetric() : search).run();
    all.states = search.states();
    all.cut = search.cut().isPresent();
    return all;
  }

  /** The least fingerprint of the state over all renamings. */
  private static String canonical(Simulation simulation) {
    Fingerprint print = new Fingerprint();
    print.clear();
    simulation.digest(simulation.renamings(), print);
    String least = text(print);
    for (int r = 0; r < simulation.renamings(); r++) {
      print.clear();
      simulation.digest(r, print);
      String other = text(print);
      least = other.compareTo(least) < 0 ? other : least;
    }
    return least;
  }

  static String text(Fingerprint print) {
    return print.high() + " " + print.low();
  }
}
