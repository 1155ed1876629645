package dev.oriel.it.options;

import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.SearchThreads;
import dev.oriel.sim.search.TimeLimit;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** How far a search of all orders goes: states, memory and time. */
public final class LimitOptions {
  private static final String MEMORY = "--memory";
  private static final String TIME = "--time";
  private static final String THREADS = "--threads";
  private static final int FURTHER = 10;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--states",
      defaultValue = "1000000",
      description =
          "states after which a search of all orders stops; with --memory or --time no limit unless"
              + " given (default: ${DEFAULT-VALUE})")
  private long states;

  @Option(
      names = MEMORY,
      paramLabel = "SIZE",
      converter = OfSize.class,
      description =
          "memory that a search of all orders may take, such as 800m or 4g"
              + " (default: a third of the heap, which ORIEL_JAVA_OPTS=-Xmx4g sets)")
  private long memory = Budget.DEFAULT.memory();

  @Option(
      names = TIME,
      paramLabel = "TIME",
      converter = OfTime.class,
      description =
          "time after which each search of all orders stops, such as 90s, 10m or 8h"
              + " (default: no limit)")
  private Duration time = Duration.ZERO;

  @Option(
      names = THREADS,
      paramLabel = "N",
      defaultValue = "1",
      description =
          "with --strategy full: threads that search at once; the verdict is the same"
              + " (default: ${DEFAULT-VALUE})")
  private int threads;

  /** An option and its value, with which a search goes further. */
  public record Further(String option, String value) {}

  /** Refuses numbers out of range. */
  void validate() {
    OptionNumbers.atLeast(spec, "--states", 1, states);
    OptionNumbers.atLeast(spec, THREADS, 1, threads);
    if (threads > SearchThreads.MAX) {
      throw new ParameterException(
          spec.commandLine(),
          "number out of range: option=--threads, value=%d, max=%d; give one for each core"
              .formatted(threads, SearchThreads.MAX));
    }
    long heap = Runtime.getRuntime().maxMemory();
    if (memory > heap) {
      throw new ParameterException(
          spec.commandLine(),
          "--memory is more than the heap: bytes=%d, heap=%d; give less, or a larger heap with ORIEL_JAVA_OPTS=-Xmx"
              .formatted(memory, heap));
    }
  }

  private boolean given(String option) {
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }

  /** Whether memory or time limit the search, in place of its work. */
  private boolean patient() {
    return given(MEMORY) || given(TIME);
  }

  /** Refuses several threads for a search that only one makes; {@code why} names it. */
  void oneThread(String why) {
    if (threads > 1) {
      throw new ParameterException(
          spec.commandLine(),
          "one thread only: option=--threads, threads=%d; leave it out, since %s"
              .formatted(threads, why));
    }
  }

  /** The threads of a search of all orders; each ends with the search. */
  SearchThreads threads() {
    return new SearchThreads(
        threads, task -> Thread.ofPlatform().daemon().name("oriel-search").start(task));
  }

  /** The most states. */
  long states() {
    return patient() && !given("--states") ? Long.MAX_VALUE : states;
  }

  /** What lets a search go further that reached one of those bounds. */
  public Further further(List<String> bounds) {
    if (bounds.stream().anyMatch(bound -> bound.contains("by the limit of time"))) {
      return new Further(TIME, FURTHER * time.toSeconds() + "s");
    }
    if (bounds.stream().anyMatch(bound -> bound.contains("by the limit of memory"))) {
      return new Further(MEMORY, ((2 * memory) >> 20) + "m");
    }
    return new Further("--states", Long.toString(FURTHER * Math.min(states, 1L << 50)));
  }

  /** The limits of searches that draw so many executions. */
  Budget budget(long executions) {
    long work = patient() ? Long.MAX_VALUE : Budget.DEFAULT.work();
    Budget budget = new Budget(executions, states(), Budget.DEFAULT.steps(), work, memory);
    return time.isZero() ? budget : budget.within(new StopWatch(time));
  }

  @Override
  public String toString() {
    return "states=" + (states() == Long.MAX_VALUE ? "any" : states());
  }

  /** The time since a search began, by the clock of the machine. */
  private record StopWatch(Duration most) implements TimeLimit {
    @Override
    public BooleanSupplier begin() {
      long start = System.nanoTime();
      return () -> System.nanoTime() - start >= most.toNanos();
    }
  }

  /** A positive number of at most six digits with a unit, in the smallest unit. */
  private static long number(String text, String units, int factor, String wanted) {
    Matcher matcher = Pattern.compile("([1-9]\\d{0,5})([" + units + "])").matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException("value=%s; write %s".formatted(text, wanted));
    }
    long number = Long.parseLong(matcher.group(1));
    for (int unit = units.indexOf(matcher.group(2)); unit > 0; unit--) {
      number *= factor;
    }
    return number;
  }

  static final class OfSize implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return 1024 * number(text, "kmgt", 1024, "a number with k, m, g or t, as in 800m or 4g");
    }
  }

  static final class OfTime implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      return Duration.ofSeconds(
          number(text, "smh", 60, "a number with s, m or h, as in 90s, 10m or 8h"));
    }
  }
}
