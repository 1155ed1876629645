package dev.oriel.it.tune;

import dev.oriel.domain.tuning.Collective;
import dev.oriel.ports.MachineException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Measured times of programs, in a file that a person can read: a line {@code world 1x2}, a line
 * {@code gpu NAME}, then one line for each time: collective, bytes, program, microseconds.
 */
record MeasuredTimes(String world, String gpu, List<Time> times) {
  /** The most bytes of a file. */
  private static final long MOST = 1 << 20;

  /** The largest time: an hour. */
  private static final double LONGEST = 3.6e9;

  /** The time of one of many calls, with the lanes of the program's text. */
  record Time(Collective collective, long bytes, String program, double micros) {}

  MeasuredTimes {
    times = List.copyOf(times);
  }

  String print() {
    StringBuilder text = new StringBuilder("world %s%ngpu %s%n".formatted(world, gpu));
    for (Time time : times) {
      text.append(
          String.format(
              Locale.ROOT,
              "%s %d %s %.3f%n",
              time.collective.word(),
              time.bytes,
              time.program,
              time.micros));
    }
    return text.toString();
  }

  static MeasuredTimes read(Path file) {
    try {
      if (!Files.isRegularFile(file) || Files.size(file) > MOST) {
        throw new MachineException(
            "no file of times: path=%s, max=%d bytes; oriel calibrate --times writes one"
                .formatted(file, MOST));
      }
      return parse(file, Files.readString(file));
    } catch (IOException e) {
      throw new MachineException(
          "cannot read times: path=%s, reason=%s; check the file".formatted(file, e.getMessage()),
          e);
    }
  }

  private static MeasuredTimes parse(Path file, String text) {
    String world = "";
    String gpu = "";
    List<Time> times = new ArrayList<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (line.startsWith("world ")) {
        world = line.substring("world ".length()).strip();
      } else if (line.startsWith("gpu ")) {
        gpu = line.substring("gpu ".length()).strip();
      } else if (!line.isBlank() && !line.startsWith("#")) {
        int at = number;
        times.add(
            time(line.strip().split(" +", -1))
                .orElseThrow(() -> wrong(file, at, "write COLLECTIVE BYTES PROGRAM MICROSECONDS")));
      }
    }
    if (world.isEmpty() || gpu.isEmpty() || times.isEmpty()) {
      throw wrong(file, number, "it needs a line 'world 1x2', a line 'gpu NAME', and times");
    }
    return new MeasuredTimes(world, gpu, times);
  }

  private static MachineException wrong(Path file, int line, String remedy) {
    return new MachineException(
        "not a file of times: path=%s, line=%d; %s".formatted(file, line, remedy));
  }

  private static Optional<Time> time(String[] words) {
    try {
      Optional<Collective> collective = Collective.of(words[0]);
      if (words.length != 4 || collective.isEmpty()) {
        return Optional.empty();
      }
      long bytes = Long.parseLong(words[1]);
      double micros = Double.parseDouble(words[3]);
      return bytes >= 0 && micros > 0 && micros <= LONGEST
          ? Optional.of(new Time(collective.get(), bytes, words[2], micros))
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
