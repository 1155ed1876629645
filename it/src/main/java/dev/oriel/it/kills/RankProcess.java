package dev.oriel.it.kills;

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

/** A rank in a process of its own, which is told what to do in lines and answers in lines. */
final class RankProcess implements AutoCloseable {
  private static final int REMEMBERED = 20;

  private final Process process;
  private final PrintWriter told;

  /** What it said, in order; empty where it says no more. */
  private final BlockingQueue<Optional<Line>> lines = new LinkedBlockingQueue<>();

  private final Deque<String> said = new ArrayDeque<>();

  /** A line, and when it came. */
  record Line(String text, long nanos) {}

  private RankProcess(Process process) {
    this.process = process;
    this.told = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
    Thread.ofVirtual().start(this::listen);
  }

  static RankProcess start(List<String> command) throws IOException {
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
      // A killed process says no more.
    }
    lines.add(Optional.empty());
  }

  void tell(String line) {
    told.println(line);
  }

  /**
   * The next line that begins with one of these words; others are passed over.
   *
   * @throws MachineException with its last lines, if it does not come in time
   */
  Line expect(Duration longest, String... words) throws InterruptedException {
    long end = System.nanoTime() + longest.toNanos();
    while (true) {
      Optional<Line> next = lines.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (next == null || next.isEmpty()) {
        throw new MachineException(
            "rank did not answer: pid=%d, expected=%s, ended=%s, last lines=%s; see these lines"
                .formatted(process.pid(), List.of(words), next != null, said));
      }
      Line line = next.get();
      said.add(line.text());
      if (said.size() > REMEMBERED) {
        said.remove();
      }
      for (String word : words) {
        if (line.text().equals(word) || line.text().startsWith(word + " ")) {
          return line;
        }
      }
    }
  }

  /** Ends it at once, without a word to it. */
  void kill() {
    process.destroyForcibly();
  }

  @Override
  public void close() {
    kill();
  }
}
