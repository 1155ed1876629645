package dev.oriel.cuda.faults;

import dev.oriel.cuda.driver.FakeDriver;
import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.MachineException;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Runs a scenario repeatedly, each time with another failing call of the driver, until no call is
 * left. Prints {@code calls N} and each {@code problem}.
 */
final class FaultyProcess {
  private static final String REASON = "CUDA_ERROR_OUT_OF_MEMORY";

  private final Scenario scenario;

  private FaultyProcess(Scenario scenario) {
    this.scenario = scenario;
  }

  public static void main(String[] arguments) throws IOException {
    new FaultyProcess(Scenario.valueOf(arguments[0])).all();
  }

  private void all() throws IOException {
    // A first run loads everything that is loaded once.
    run();
    Object ignored = FakeDriver.held();
    System.out.println("calls " + FakeDriver.calls());
    String failed = "first";
    for (long at = 0; !failed.isEmpty() || at == 1; at++) {
      FakeDriver.arm(at);
      failed = one(at);
    }
  }

  /** Runs the scenario with the call of that number failing; returns the call's name. */
  private String one(long at) throws IOException {
    long files = files();
    long arenas = arenas();
    List<Throwable> thrown = run();
    String failed = FakeDriver.failed();
    String where = "problem at=%d, call=%s: ".formatted(at, failed);
    problems(failed, thrown).forEach(problem -> System.out.println(where + problem));
    String held = FakeDriver.held();
    String broken = FakeDriver.broken();
    if (!(held + broken).isEmpty()) {
      System.out.println(where + "held=[%s], broken=[%s]".formatted(held, broken) + thrown);
    }
    if (files() != files) {
      System.out.println(where + "open files=%d, before=%d".formatted(files(), files));
    }
    if (arenas() != arenas) {
      System.out.println(where + "arenas=%d, before=%d".formatted(arenas(), arenas));
    }
    return failed;
  }

  private List<Throwable> run() {
    List<Throwable> all = new ArrayList<>();
    try {
      scenario.run();
    } catch (Throwable e) {
      gather(e, all);
    }
    return all;
  }

  private static void gather(Throwable e, List<Throwable> all) {
    all.add(e);
    for (Throwable suppressed : e.getSuppressed()) {
      gather(suppressed, all);
    }
    if (e.getCause() != null) {
      gather(e.getCause(), all);
    }
  }

  private static List<String> problems(String failed, List<Throwable> thrown) {
    List<String> problems = new ArrayList<>();
    if (failed.isEmpty()) {
      thrown.forEach(e -> problems.add("failed by itself: " + e));
      return problems;
    }
    if (thrown.stream().noneMatch(e -> String.valueOf(e.getMessage()).contains(REASON))) {
      problems.add("not reported: " + thrown);
    }
    for (Throwable e : thrown) {
      if (!(e instanceof MachineException
          || e instanceof BootstrapException
          || e instanceof TimeoutException
          || e instanceof ExecutionException)) {
        problems.add("reported as " + e + " " + Stream.of(e.getStackTrace()).limit(6).toList());
      }
    }
    return problems;
  }

  private static long files() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files.count();
    }
  }

  /** Native memory of Java that was not freed. */
  private static long arenas() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .mapToLong(BufferPoolMXBean::getCount)
        .sum();
  }
}
