package dev.oriel.it.measure;

import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.ranks.RankCommandLine;
import dev.oriel.it.ranks.RankProcess;
import dev.oriel.it.run.GpuTimer;
import dev.oriel.ports.MachineException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A process for each rank; all measure the same at the same time. The times reported by one process
 * are those of the slowest; each reports its own preparations.
 */
final class BenchRanks implements BenchRunner {
  private static final Duration GLANCE = Duration.ofMillis(100);

  /** The longest wait for a line; a hanging replay ends within a minute by its own deadline. */
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  /** The time within which the other ranks observe and report the end of one rank. */
  private static final Duration ECHO = Duration.ofSeconds(3);

  private final List<RankProcess> ranks = new ArrayList<>();
  private final List<String> gpus = new ArrayList<>();

  /** Starts them and waits until all have joined. */
  BenchRanks(RankCommandLine command, int world) throws IOException, InterruptedException {
    int port = RankCommandLine.freePort();
    try {
      for (int rank = 0; rank < world; rank++) {
        ranks.add(RankProcess.start(command.as(rank, "--meet=" + port)));
      }
      for (int rank = 0; rank < world; rank++) {
        gpus.add(awaited(rank, "joined").substring("joined ".length()));
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      close();
      throw e;
    }
  }

  @Override
  public List<String> gpus() {
    return gpus;
  }

  /**
   * {@inheritDoc}
   *
   * @throws MachineException with their output, if one of them ends or reports nothing for long
   * @throws GpuTimer.WrongOutput with their output, if one ended because of a wrong output
   */
  @Override
  public void measure(CudaBench.Readings readings) throws InterruptedException {
    ranks.forEach(rank -> rank.send("measure"));
    for (int rank = 0; rank < ranks.size(); rank++) {
      String line = awaited(rank, "reading", "round");
      while (!line.equals("round")) {
        readings.add(reading(line, rank == 0));
        line = awaited(rank, "reading", "round");
      }
    }
  }

  /** All ranks report equal times, so only those of one are read. */
  private static CudaBench.Reading reading(String line, boolean timed) {
    String[] words = line.split(" ", -1);
    BenchSubject subject = BenchSubject.valueOf(words[1].toUpperCase(Locale.ROOT));
    List<Double> micros =
        timed ? Arrays.stream(words).skip(5).map(Double::valueOf).toList() : List.of();
    return new CudaBench.Reading(
        new CudaBench.Row(subject, Long.parseLong(words[2])),
        words[3],
        micros,
        Long.parseLong(words[4]));
  }

  /** The rank's next line that begins with one of these words, while all ranks are alive. */
  private String awaited(int rank, String... words) throws InterruptedException {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (System.nanoTime() - end < 0) {
      Optional<RankProcess.Line> line = ranks.get(rank).next(GLANCE);
      if (line.isPresent()) {
        String text = line.get().text();
        if (Arrays.stream(words).anyMatch(w -> text.equals(w) || text.startsWith(w + " "))) {
          return text;
        }
      } else if (ranks.stream().anyMatch(RankProcess::gone)) {
        throw lost();
      }
    }
    throw new MachineException(
        "rank says nothing: rank=%d, seconds=%d, expected=%s; see what its GPU does"
            .formatted(rank, TIMEOUT.toSeconds(), List.of(words)));
  }

  private RuntimeException lost() throws InterruptedException {
    long end = System.nanoTime() + ECHO.toNanos();
    while (!ranks.stream().allMatch(RankProcess::gone) && System.nanoTime() - end < 0) {
      Thread.sleep(GLANCE);
    }
    List<String> said = new ArrayList<>();
    boolean wrong = false;
    for (int rank = 0; rank < ranks.size(); rank++) {
      Optional<RankProcess.End> ended = ranks.get(rank).ended();
      if (ended.isPresent()) {
        said.add("rank=%d, %s".formatted(rank, ended.get().words()));
        wrong |= ended.get().exit() == ExitCodes.VIOLATION;
      }
    }
    String message = "ranks ended: " + String.join("; ", said);
    return wrong ? new GpuTimer.WrongOutput(message) : MachineException.lacking(message);
  }

  @Override
  public void close() {
    ranks.forEach(RankProcess::close);
  }
}
