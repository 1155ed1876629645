package dev.oriel.it.ranks;

import dev.oriel.it.options.ExitCodes;
import dev.oriel.ports.MachineException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A rank in a process of its own, which receives requests as lines and answers in lines. */
public final class RankProcess implements AutoCloseable {
  private static final int REMEMBERED = 20;
  private static final Duration LAST_WORDS = Duration.ofSeconds(2);

  private final Process process;
  private final PrintWriter input;

  /** Its output lines, in order; an empty one marks the end. */
  private final BlockingQueue<Optional<Line>> lines = new LinkedBlockingQueue<>();

  private final Deque<String> said = new ArrayDeque<>();

  /** Whether the end of its output was read. */
  private boolean silent;

  /** A line, and its arrival time. */
  public record Line(String text, long nanos) {}

  /** Its exit code, and its last lines. */
  public record End(int exit, List<String> lines) {
    public String words() {
      return "exit=%d, last lines=%s".formatted(exit, lines);
    }
  }

  private RankProcess(Process process) {
    this.process = process;
    this.input = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
    Thread.ofVirtual().start(this::listen);
  }

  public static RankProcess start(List<String> command) throws IOException {
    return new RankProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
  }

  private void listen() {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      String text = reader.readLine();
      while (text != null) {
        lines.add(Optional.of(new Line(text, System.nanoTime())));
        text = reader.readLine();
      }
    } catch (IOException e) {
      // A killed process writes no more.
    }
    lines.add(Optional.empty());
  }

  public void send(String line) {
    input.println(line);
  }

  /**
   * The next line that begins with one of these words; other lines are skipped.
   *
   * @throws MachineException with its last lines, if the line does not come in time; an exception
   *     about the environment, if the rank ended because the environment lacks something
   */
  public Line expect(Duration longest, String... words) throws InterruptedException {
    long end = System.nanoTime() + longest.toNanos();
    while (true) {
      Optional<Line> next = next(Duration.ofNanos(end - System.nanoTime()));
      if (next.isEmpty()) {
        String message =
            "rank did not answer: pid=%d, expected=%s, ended=%s, last lines=%s; see these lines"
                .formatted(process.pid(), List.of(words), silent, said);
        throw lacking() ? MachineException.lacking(message) : new MachineException(message);
      }
      Line line = next.get();
      for (String word : words) {
        if (line.text().equals(word) || line.text().startsWith(word + " ")) {
          return line;
        }
      }
    }
  }

  /** Whether it has ended because the environment lacks something. */
  private boolean lacking() throws InterruptedException {
    return silent
        && process.waitFor(LAST_WORDS.toNanos(), TimeUnit.NANOSECONDS)
        && process.exitValue() == ExitCodes.ENVIRONMENT;
  }

  /** Its next line; empty if none comes in time, or none will. */
  public Optional<Line> next(Duration longest) throws InterruptedException {
    if (silent) {
      return Optional.empty();
    }
    Optional<Line> next = lines.poll(longest.toNanos(), TimeUnit.NANOSECONDS);
    if (next == null) {
      return Optional.empty();
    }
    silent = next.isEmpty();
    next.ifPresent(line -> {
      said.add(line.text());
      if (said.size() > REMEMBERED) {
        said.remove();
      }
    });
    return next;
  }

  /** Whether it has ended. */
  public boolean gone() {
    return !process.isAlive();
  }

  /** Its exit code and its last lines, once it has ended. */
  public Optional<End> ended() throws InterruptedException {
    if (process.isAlive()) {
      return Optional.empty();
    }
    while (next(LAST_WORDS).isPresent()) {
      // The lines before its end are remembered.
    }
    return Optional.of(new End(process.exitValue(), List.copyOf(said)));
  }

  /** Kills it at once, without notice. */
  public void kill() {
    process.destroyForcibly();
  }

  @Override
  public void close() {
    kill();
  }
}
