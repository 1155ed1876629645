package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.ReplayToken;
import dev.oriel.sim.replay.TimeoutPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Verdicts of several threads are those of one, whatever becomes of the threads. */
@Timeout(300)
class ThreadedCheckerTest {
  private static final Budget BUDGET = new Budget(1, 3_000, 100_000, 2_000_000);

  /** Lane a's store is the last one only in executions that are searched late. */
  static final String LATE =
      """
      form late
      input in[8]
      output out[8]
      scratch pad[256]
      ensure out[0] = in[0] bytes 8
      lane a: host {
        store out[0] <- 7
        for s < 12 { store pad[8 * s] <- s }
      }
      lane b: host {
        move out[0] <- in[0] bytes 8
        for s < 12 { store pad[128 + 8 * s] <- s }
      }
      """;

  static final ExecutionSettings VALUES =
      new ExecutionSettings(Profile.L2, 1, DetectorSet.RESULTS, TimeoutPolicy.NEVER);

  private static Checker checker(Budget budget) {
    return new Checker(Strategy.FULL, budget, 1, Checker.strict(Profile.L2, 1));
  }

  private static CheckReport ring(Budget budget, SearchThreads threads) {
    Form form = ShippedPrograms.form("ring_all_gather");
    Program program = Program.bind(form, 3, ShippedPrograms.params(form, 8, 0));
    return checker(budget).on(threads).explore(program, Topology.parse("1x3"));
  }

  private static CheckReport late(Budget budget, SearchThreads threads) {
    Program program = Program.bind(FormParser.parse(LATE), 1, Map.of());
    return new Checker(Strategy.FULL, budget, 1, VALUES)
        .on(threads)
        .explore(program, Topology.parse("1x1"));
  }

  /** All that a user sees of a report. */
  private static String shown(CheckReport report) {
    return "%s%n%s%n%s"
        .formatted(
            report.verdict(),
            report.parts(),
            report.found().map(f -> f.token().map(ReplayToken::toString).orElse("none")));
  }

  /** The same report on one, two and three threads; returns it. */
  private static CheckReport same(Form form, String world, Map<String, Long> params) {
    Topology topology = Topology.parse(world);
    Program program = Program.bind(form, topology.world(), params);
    CheckReport one = checker(BUDGET).explore(program, topology);
    for (int count = 2; count <= 3; count++) {
      StartedThreads threads = new StartedThreads();
      CheckReport several =
          checker(BUDGET).on(new SearchThreads(count, threads)).explore(program, topology);
      // Where states are kept as a whole, the report says so and is that of one thread.
      assertThat(
              shown(several).replace("; on one thread, since its states are kept as a whole", ""))
          .as("%s on %s, threads=%d", form.name(), world, count)
          .isEqualTo(shown(one));
      threads.ended();
    }
    return one;
  }

  @Test
  void aLateViolationHasTheTokenOfOneThread() {
    CheckReport one = late(BUDGET, SearchThreads.ONE);
    assertThat(one.verdict().states()).isGreaterThan(200);
    for (int count = 2; count <= 4; count++) {
      StartedThreads threads = new StartedThreads();
      assertThat(shown(late(BUDGET, new SearchThreads(count, threads)))).isEqualTo(shown(one));
      threads.ended();
    }
    ReplayToken token = one.found().orElseThrow().token().orElseThrow();
    assertThat(TokenReplay.play(token, FormParser.parse(LATE)).finding()).isPresent();
  }

  /** One thread may need more memory than there is: what several found is right all the same. */
  @Test
  void aViolationOfSeveralThreadsStaysIfOneThreadFails() {
    Program program = Program.bind(FormParser.parse(LATE), 1, Map.of());
    Topology topology = Topology.parse("1x1");
    Simulation simulation =
        new Simulation(
            program, topology, FormLowering.lower(program.form(), topology.kinds()), VALUES);
    StartedThreads threads = new StartedThreads();
    List<Finding> found = new ArrayList<>();
    AtomicInteger ends = new AtomicInteger();
    ThreadedSearch search =
        new ThreadedSearch(
            simulation,
            BUDGET,
            new SearchThreads(2, threads),
            finding -> {
              // The first execution of the one thread that confirms the violation.
              if (ends.getAndIncrement() == 0) {
                throw new MachineException("no memory");
              }
              finding.ifPresent(found::add);
              return finding.isEmpty();
            });
    search.run();
    threads.ended();
    assertThat(found).hasSize(1);
    assertThat(ends).hasValue(2);
  }

  /** Which limit one thread meets, and where, does not depend on other threads. */
  @Test
  void limitsStopWhereOneThreadStops() {
    long all = ring(BUDGET, SearchThreads.ONE).verdict().states();
    for (Budget budget :
        List.of(
            new Budget(1, all - 1, 100_000, 2_000_000_000),
            new Budget(1, all, 100_000, 2_000_000_000),
            new Budget(1, all + 1, 100_000, 2_000_000_000),
            new Budget(1, 1, 100_000, 2_000_000_000),
            new Budget(1, 3_000, 40, 2_000_000_000),
            new Budget(1, 3_000, 100_000, 5_000),
            new Budget(1, 3_000, 100_000, 2_000_000_000, 100 << 10),
            new Budget(1, 3_000, 100_000, 2_000_000_000, 800 << 10))) {
      StartedThreads threads = new StartedThreads();
      assertThat(shown(ring(budget, new SearchThreads(3, threads))))
          .as(budget.toString())
          .isEqualTo(shown(ring(budget, SearchThreads.ONE)));
      threads.ended();
    }
  }

  /** A search that ended may have left something out; the threads' findings about that count. */
  @Test
  void whatExecutionsLeaveOutIsABoundOnSeveralThreads() {
    String text =
        """
        form parts
        input a[8]
        input b[8]
        scratch box[64]
        output x[8]
        signal UP[1]
        ensure x[0] = b@1[0] bytes 4 * (1 - r)
        lane main: sm(32) {
          if r == 1 {
            move box@0[0] pkt8(epoch) <- a[0] bytes 8
            sync
            move box@0[0] <- b[0] bytes 4
            sync
            signal UP[0]@0 set epoch release
          } else {
            await UP[0]@1 reached epoch acquire
            move x[0] <- box[0] pkt8(epoch) bytes 8
          }
        }
        """;
    CheckReport one = same(FormParser.parse(text), "1x2", Map.of());
    assertThat(one.verdict().violation()).isEmpty();
    assertThat(one.verdict().bounds()).singleElement().asString().startsWith("packets: ");
  }

  @Test
  void theLimitOfTimeEndsAllThreads() {
    StartedThreads threads = new StartedThreads();
    CheckReport cut = ring(BUDGET.within(() -> () -> true), new SearchThreads(3, threads));
    assertThat(threads.ended()).isGreaterThanOrEqualTo(2);
    assertThat(cut.verdict().states()).isBetween(1L, 700L);
    assertThat(cut.verdict().bounds())
        .singleElement()
        .asString()
        .startsWith("full: stopped at states=" + cut.verdict().states())
        .contains("limit of time");
  }

  /** The threads find it; one thread has no time left to find it first. */
  @Test
  void aViolationIsNotLostWhereOneThreadIsStoppedBeforeIt() {
    StackWalker stack = StackWalker.getInstance();
    BooleanSupplier oneThread =
        () ->
            stack.walk(
                frames -> frames.anyMatch(f -> f.getClassName().endsWith("SystematicSearch")));
    StartedThreads threads = new StartedThreads();
    CheckReport report = late(BUDGET.within(() -> oneThread), new SearchThreads(2, threads));
    threads.ended();
    assertThat(report.verdict().bounds()).singleElement().asString().contains("limit of time");
    assertThat(report.verdict().violation()).isPresent();
    ReplayToken token = report.found().orElseThrow().token().orElseThrow();
    assertThat(TokenReplay.play(token, FormParser.parse(LATE)).finding()).isPresent();
  }

  @Test
  void anExecutorWithFewOrNoThreadsChangesNothing() {
    String one = shown(ring(BUDGET, SearchThreads.ONE));
    List<Runnable> never = new ArrayList<>();
    for (Executor executor : List.<Executor>of(Runnable::run, never::add)) {
      assertThat(shown(ring(BUDGET, new SearchThreads(3, executor)))).isEqualTo(one);
    }
    // What begins after the search finds nothing to do.
    assertThat(never).hasSizeGreaterThanOrEqualTo(2);
    never.forEach(Runnable::run);
  }

  @Test
  void anExecutorThatRefusesEndsTheSearch() {
    StartedThreads threads = new StartedThreads();
    Executor once =
        task -> {
          if (threads.count() > 0) {
            throw new RejectedExecutionException("one is enough");
          }
          threads.execute(task);
        };
    assertThatThrownBy(() -> ring(BUDGET, new SearchThreads(3, once)))
        .isInstanceOf(RejectedExecutionException.class);
    assertThat(threads.ended()).isEqualTo(1);
  }

  /** A clock that only other threads than the caller's read; they get time to take part. */
  private static Budget within(BooleanSupplier over) {
    Thread caller = Thread.currentThread();
    return BUDGET.within(() ->
        () -> {
          if (!Thread.currentThread().equals(caller)) {
            return over.getAsBoolean();
          }
          LockSupport.parkNanos(1_000_000);
          return false;
        });
  }

  @Test
  void aThreadThatFailsEndsTheSearch() {
    StartedThreads threads = new StartedThreads();
    IllegalStateException failed = new IllegalStateException("no clock");
    Budget failing =
        within(() -> {
          throw failed;
        });
    // On a busy machine the caller's thread may have searched everything before another runs.
    Throwable thrown = null;
    for (int i = 0; i < 100 && thrown == null; i++) {
      thrown = catchThrowable(() -> ring(failing, new SearchThreads(3, threads)));
    }
    assertThat(thrown).isSameAs(failed);
    assertThat(threads.ended()).isGreaterThanOrEqualTo(2);
  }

  @Test
  void aThreadWithoutMemoryLeavesTheSearchToOne() {
    StartedThreads threads = new StartedThreads();
    Budget full =
        within(() -> {
          throw new OutOfMemoryError("Java heap space");
        });
    assertThat(shown(ring(full, new SearchThreads(3, threads))))
        .isEqualTo(shown(ring(BUDGET, SearchThreads.ONE)));
    assertThat(threads.ended()).isGreaterThanOrEqualTo(2);
  }

  /** As on one thread, an interrupt does not end a search, and is kept. */
  @Test
  void interruptsAreKept() {
    String one = shown(ring(BUDGET, SearchThreads.ONE));
    StartedThreads threads = new StartedThreads();
    AtomicInteger lost = new AtomicInteger();
    Executor interrupting =
        task ->
            threads.execute(() -> {
              Thread.currentThread().interrupt();
              task.run();
              if (!Thread.currentThread().isInterrupted()) {
                lost.incrementAndGet();
              }
            });
    Thread.currentThread().interrupt();
    CheckReport report = ring(BUDGET, new SearchThreads(3, interrupting));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(shown(report)).isEqualTo(one);
    assertThat(lost).hasValue(0);
    assertThat(threads.ended()).isGreaterThanOrEqualTo(2);
  }

  @Test
  void onlyASensibleNumberOfThreadsIsTaken() {
    assertThatThrownBy(() -> new SearchThreads(0, Runnable::run))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SearchThreads(SearchThreads.MAX + 1, Runnable::run))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("threads=257");
  }
}
