package dev.oriel.it.measure;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.Collective;
import dev.oriel.domain.tuning.ShippedProgram;
import dev.oriel.it.options.ProgramTexts;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/** A collective and its implementations. */
enum BenchSubject {
  ALLGATHER,
  ALLTOALL,
  ALLREDUCE,
  REDUCESCATTER,
  SENDRECV,
  BARRIER,
  /** Messages back and forth between two ranks, one at a time: a put with a signal, and packets. */
  PINGPONG;

  /** Round trips of a launch, as in the programs' texts. */
  static final int TRIPS = 1000;

  /**
   * One implementation.
   *
   * @param times how often a launch executes it
   */
  record Candidate(String name, Form form, int times) {}

  List<Candidate> candidates(CommandSpec spec) {
    return switch (this) {
      case BARRIER -> List.of(shipped(spec, "barrier"));
      case PINGPONG ->
          Stream.of("put-signal", "pkt16", "line128")
              .map(name -> new Candidate(name, FormParser.parse(pingPong(name)), TRIPS))
              .toList();
      default ->
          ShippedProgram.doing(Collective.valueOf(name())).stream()
              .map(program -> shipped(spec, program.name()))
              .toList();
    };
  }

  private static Candidate shipped(CommandSpec spec, String name) {
    return new Candidate(name, ProgramTexts.shipped(spec, name), 1);
  }

  static String pingPong(String name) {
    String resource = "/pingpong/" + name + ".oriel";
    try (InputStream in =
        Objects.requireNonNull(BenchSubject.class.getResourceAsStream(resource), resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Why a world cannot execute it; empty if it can. */
  String refusal(Topology topology) {
    return this == PINGPONG && topology.world() % 2 != 0
        ? "ranks go in pairs: ranks=" + topology.world()
        : "";
  }

  /** The sizes, out of these, in which it is measured. */
  List<Long> sizes(List<Long> asked) {
    return this == BARRIER ? List.of(0L) : asked;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
