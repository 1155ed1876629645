package dev.oriel.sim.trial;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.rewrite.FormEdits;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.mutate.Mutant;
import dev.oriel.sim.mutate.MutantGenerator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Correct programs, each with the worlds that its first line names. */
final class CorrectPrograms {
  private static final Path FOLDER = Path.of("src/test/resources/correct");

  /** Programs that are checked with a size or setting of their own. */
  private static final Set<String> OWN =
      Set.of(
          "ll_all_gather",
          "ring_send_recv",
          "ll_send_recv",
          "chain_forward",
          "signal_barrier",
          "dissemination_barrier");

  private static final String WORLDS = "-- worlds: ";

  /** A form, the worlds to check it in, and the values of its parameters. */
  record Correct(Form form, List<String> worlds, Map<String, Long> params) {
    Program bind(Topology topology) {
      return Program.bind(form, topology.world(), params);
    }

    /** The same with the fewest bytes, elements and tokens for which tiles still wrap around. */
    Correct few() {
      Map<String, Long> less = new HashMap<>(params);
      less.computeIfPresent("B", (name, bytes) -> bytes > 80 ? 36L : bytes > 40 ? 24L : 8L);
      less.computeIfPresent("E", (name, elements) -> 4L);
      less.computeIfPresent("T", (name, tokens) -> 1L);
      return new Correct(form, worlds, less);
    }

    /** And with one lane of each kind. */
    Correct small() {
      return new Correct(with(form, Map.of("K", 1L, "J", 1L)), worlds, few().params());
    }

    /** The same with every rank as its own domain, if the program has domains. */
    Correct apart() {
      Map<String, Long> alone = new HashMap<>(small().params());
      alone.computeIfPresent("domain", (name, ranks) -> 1L);
      return new Correct(small().form(), worlds, alone);
    }

    /** The same mistake in this form. */
    Mutant like(Mutant mutant) {
      return MutantGenerator.of(form).stream()
          .filter(m -> m.name().equals(mutant.name()))
          .findFirst()
          .orElseThrow();
    }

    @Override
    public String toString() {
      return form.name();
    }
  }

  private CorrectPrograms() {}

  /** A barrier has no post-condition, so this stores bytes before it and reads them after it. */
  private static Correct barrier() {
    String place = "[((epoch & 1) * n + r) * 8]";
    Form form =
        ShippedPrograms.edited(
            "signal_barrier",
            "signal HERE[1]",
            """
            signal HERE[1]
            input in[8]
            output out[8 * n]
            scratch box[16 * n]
            ensure each p in all: out[p * 8] = in@p[0] bytes 8
            """,
            "lane main: sm(32) {",
            "lane main: sm(32) { move box@all%s <- in[0] bytes 8".formatted(place),
            "reached epoch acquire",
            """
            reached epoch acquire
            move out[0] <- box[(epoch & 1) * n * 8] bytes n * 8
            flush peers local
            """);
    return new Correct(form, List.of("1x2", "2x1", "1x3", "3x1", "2x2", "1x1"), Map.of());
  }

  /** The same where ranks learn of each other through others, so no request may remain pending. */
  private static Correct dissemination() {
    Form form =
        ShippedPrograms.edited(
            "dissemination_barrier",
            "lane main: sm(32) {",
            """
            input in[8]
            output out[8 * n]
            scratch box[16 * n]
            ensure each p in all: out[p * 8] = in@p[0] bytes 8
            lane main: sm(32) {
              move box@all[((epoch & 1) * n + r) * 8] <- in[0] bytes 8
              flush peers remote
            """,
            "    }\n  }\n",
            """
                }
              }
              move out[0] <- box[(epoch & 1) * n * 8] bytes n * 8
            """);
    return new Correct(form, List.of("1x2", "2x1", "1x3", "3x1", "2x2", "1x1"), Map.of());
  }

  /**
   * Shipped programs without settings of their own, in two lanes of which the last has less work,
   * or three to remote peers.
   */
  static List<Correct> collectives() {
    Map<String, Long> bytes =
        Map.of(
            "ll_all_reduce", 12L,
            "ring_all_reduce", 84L,
            "two_shot_all_reduce", 84L,
            "rail_all_reduce", 132L,
            "ll128_all_gather", 132L,
            "ll128_all_to_all", 132L,
            "ll128_reduce_scatter", 132L);
    List<Correct> all = new ArrayList<>();
    for (String name : ShippedPrograms.all()) {
      if (!OWN.contains(name)) {
        all.add(twoLanes(name, bytes.getOrDefault(name, 20L)));
      }
    }
    return all;
  }

  /**
   * The same for programs with hooks. A scale covers 4 elements and a sector 2, so both lanes have
   * some.
   */
  static List<Correct> hooked() {
    return ShippedPrograms.HOOKED.stream()
        .map(name -> ShippedPrograms.text(name).replaceAll("\\b128\\b", "4"))
        .map(text -> text.replace("8 * ceil(ceil(C, 8), K)", "2 * ceil(ceil(C, 2), K)"))
        .map(text -> twoLanes(FormParser.parse(text), 20))
        .toList();
  }

  private static Correct twoLanes(String name, long bytes) {
    return twoLanes(ShippedPrograms.form(name), bytes);
  }

  private static Correct twoLanes(Form original, long bytes) {
    String name = original.name();
    Form form = with(original, Map.of("K", 2L, "J", 3L));
    List<String> worlds =
        ShippedPrograms.MAPPED.contains(name) || ShippedPrograms.ENGINES.contains(name)
            ? List.of("1x2", "1x3", "1x1")
            : new ArrayList<>(List.of("1x2", "2x1", "1x3", "3x1", "2x2", "1x1"));
    if (name.startsWith("rail")) {
      worlds.add("3x2");
    }
    return new Correct(form, worlds, ShippedPrograms.params(form, bytes, 1));
  }

  /** The form with other values of those definitions. */
  private static Form with(Form form, Map<String, Long> values) {
    Form.Definition[] definitions =
        form.definitions().stream()
            .map(d ->
                values.containsKey(d.name())
                    ? new Form.Definition(d.name(), Expr.of(values.get(d.name())))
                    : d)
            .toArray(Form.Definition[]::new);
    return FormEdits.withDefinitions(form, Arrays.asList(definitions));
  }

  /** Shipped programs in a small size, then those of the folder. */
  static List<Correct> all() {
    List<Correct> all =
        new ArrayList<>(
            List.of(packets(), ring(), packetRing(), forward(), barrier(), dissemination()));
    all.addAll(collectives());
    all.addAll(hooked());
    try (Stream<Path> files = Files.list(FOLDER)) {
      files
          .filter(f -> f.toString().endsWith(".oriel"))
          .sorted()
          .map(CorrectPrograms::read)
          .forEach(all::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all;
  }

  private static Correct packets() {
    Form form = ShippedPrograms.edited("ll_all_gather", ShippedPrograms.LANES, "let K = 2");
    return new Correct(form, List.of("1x2", "2x1", "1x3", "3x1", "2x2"), Map.of("B", 9L));
  }

  /** Three tiles per lane in a ring of two, so every lane waits for credits. */
  private static Correct ring() {
    Form form = ShippedPrograms.form("ring_send_recv");
    Form shrunk = with(form, Map.of("S", 8L, "D", 2L, "K", 2L));
    return new Correct(shrunk, List.of("1x2", "2x1", "1x3", "3x1", "2x2"), Map.of("B", 48L));
  }

  /** The same by packets, whose flags are those of two passes. */
  static Correct packetRing() {
    Form form = ShippedPrograms.form("ll_send_recv");
    Form shrunk = with(form, Map.of("S", 8L, "D", 2L, "K", 2L));
    return new Correct(shrunk, List.of("1x2", "2x1", "1x3", "3x1", "2x2"), Map.of("B", 48L));
  }

  /** The same along a chain that does not begin at the first rank. */
  static Correct forward() {
    Form form = ShippedPrograms.form("chain_forward");
    Form shrunk = with(form, Map.of("S", 8L, "D", 2L, "K", 2L));
    return new Correct(
        shrunk, List.of("1x2", "2x1", "1x3", "3x1", "2x2", "1x1"), Map.of("B", 48L, "root", 1L));
  }

  private static Correct read(Path file) {
    try {
      String text = Files.readString(file);
      String first = text.lines().findFirst().orElse("");
      if (!first.startsWith(WORLDS)) {
        throw new IllegalArgumentException(
            "no worlds: file=%s, line=%s; begin with '%s1x2'".formatted(file, first, WORLDS));
      }
      List<String> worlds = List.of(first.substring(WORLDS.length()).split(" "));
      return new Correct(FormParser.parse(text), worlds, Map.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
