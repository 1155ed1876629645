package dev.oriel.it.bench;

import java.util.Collection;
import java.util.Locale;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs every benchmark, prints what a step takes and makes, and fails where a transition of a
 * search makes something. Arguments are JMH's.
 */
public final class Measure {
  /** A random source for each execution, of some ten transitions or more. */
  private static final double MAX_BYTES = 8;

  private static final String ALLOCATED = "gc.alloc.rate.norm";

  private Measure() {}

  public static void main(String[] arguments) throws RunnerException, CommandLineOptionException {
    var options =
        new OptionsBuilder()
            .parent(new CommandLineOptions(arguments))
            .include("dev.oriel.it.bench.")
            .forks(1)
            .warmupIterations(5)
            .warmupTime(TimeValue.seconds(1))
            .measurementIterations(5)
            .measurementTime(TimeValue.seconds(1))
            .shouldFailOnError(true)
            .addProfiler(GCProfiler.class);
    Collection<RunResult> results = new Runner(options.build()).run();
    long events = new TimeWork().prepareAndRun();
    double prepared = Double.NaN;
    boolean fine = true;
    for (RunResult result : results) {
      String name = result.getParams().getBenchmark();
      double micros = result.getPrimaryResult().getScore();
      double bytes = result.getSecondaryResults().get(ALLOCATED).getScore();
      if (name.endsWith("prepare")) {
        prepared = bytes;
      } else if (name.endsWith("prepareAndRun")) {
        print("ring:1024x1 in virtual time", events, micros, bytes - prepared);
      } else {
        String program = result.getParams().getParam("program");
        long transitions = SearchWork.transitions(program);
        print(program, transitions, micros, bytes);
        fine &= bytes / transitions < MAX_BYTES;
      }
    }
    if (!fine) {
      System.err.printf(
          "a transition makes something: max=%.0f bytes; find out what with -prof jfr%n",
          MAX_BYTES);
      System.exit(1);
    }
  }

  private static void print(String what, long steps, double micros, double bytes) {
    System.out.printf(
        Locale.ROOT,
        "%s: %.1f ns and %.2f bytes a step, of %d steps%n",
        what,
        1e3 * micros / steps,
        bytes / steps,
        steps);
  }
}
