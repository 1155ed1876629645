package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.machine.settings.Profile;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class SearchAllocationTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /**
   * A few bytes are left for new kinds of steps and new versions of parts, which are kept: 2 to 4.
   * The first compiler alone, which short tests use, removes no allocation: 12.
   */
  private static final int FEW = 16;

  @Test
  void aStateAllocatesNothingButItsPlaceInTheTable() {
    besideTable(400_000);
    long half = besideTable(400_000);
    long whole = besideTable(800_000);
    // Less than nothing if the compiler was late in the first of the two.
    assertThat((whole - half) / 400_000.0).isLessThan(FEW);
  }

  /** Bytes that a search of so many states allocates, without the table of visited states. */
  private static long besideTable(long states) {
    Form form = ShippedPrograms.form("ring_all_gather");
    Topology topology = Topology.parse("1x5");
    Program program = Program.bind(form, topology.world(), ShippedPrograms.params(form, 8, 0));
    ExhaustiveWorkload workload =
        new ExhaustiveWorkload(program, topology, Checker.strict(Profile.L2, 1));
    long before = THREADS.getCurrentThreadAllocatedBytes();
    ExhaustiveWorkload.Work work = workload.run(states);
    assertThat(work.states()).isEqualTo(states);
    return THREADS.getCurrentThreadAllocatedBytes() - before - work.visitedMade();
  }
}
