package dev.oriel.sim.trial;

import dev.oriel.sim.search.Budget;
import dev.oriel.sim.trial.Campaign.Fate;
import dev.oriel.sim.trial.CorrectPrograms.Correct;
import java.util.List;
import org.junit.jupiter.api.Test;

class KillTest {
  @Test
  void all() {
    int total = 0, killed = 0, eq = 0, slow = 0;
    for (Correct c : CorrectPrograms.all()) {
      long start = System.nanoTime();
      Campaign campaign = new Campaign(c, c.worlds(), new Budget(1, 30_000, 100_000, 300_000_000));
      List<Fate> fates = campaign.run(true);
      long k = fates.stream().filter(f -> f.killer().isPresent()).count();
      System.out.printf(
          "%s: mutants=%d killed=%d survivors=%d equivalent=%d slow=%d ms=%d%n",
          c, fates.size(), k, fates.size() - k,
          fates.stream().filter(Fate::equivalent).count(),
          fates.stream().filter(f -> f.nanos() > 1_000_000_000L).count(),
          (System.nanoTime() - start) / 1000000);
      for (Fate f : fates) {
        if (f.killer().isEmpty()) System.out.println("   " + f.mutant().name() + "  " + f.survivors());
      }
      total += fates.size();
      killed += (int) k;
    }
    System.out.println("total=" + total + " killed=" + killed);
  }
}
