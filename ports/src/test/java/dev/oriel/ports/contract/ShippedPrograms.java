package dev.oriel.ports.contract;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The program texts that the library provides, for tests of every module. */
public final class ShippedPrograms {
  /** Programs that move bytes between all ranks alike. */
  public static final List<String> NAMES =
      List.of(
          "ll_all_gather",
          "ll_all_to_all",
          "push_all_gather",
          "push_all_to_all",
          "split_all_to_all",
          "signal_barrier",
          "dissemination_barrier",
          "ring_send_recv",
          "push_send_recv",
          "ll_send_recv",
          "ring_all_gather",
          "log_all_gather",
          "bruck_all_gather",
          "doubling_all_gather",
          "streamed_all_gather",
          "rail_all_gather");

  /** Programs that reduce; their size is a number of whole elements. */
  public static final List<String> REDUCING =
      List.of(
          "ll_all_reduce",
          "two_shot_all_reduce",
          "ring_all_reduce",
          "ll_reduce_scatter",
          "direct_reduce_scatter",
          "ring_reduce_scatter",
          "halving_reduce_scatter",
          "tree_all_reduce",
          "rail_all_reduce");

  /** Programs for mapped memory: they read peers' memory by loads, or rely on whole lines. */
  public static final List<String> MAPPED =
      List.of(
          "pull_all_reduce",
          "pull_reduce_scatter",
          "ll128_all_gather",
          "ll128_all_to_all",
          "ll128_reduce_scatter",
          "ll128_all_reduce");

  /** Programs of copy engines, which reach only mapped memory. */
  public static final List<String> ENGINES =
      List.of("copy_all_gather", "copy_all_to_all", "copy_broadcast");

  /** Programs with a root. */
  public static final List<String> ROOTED =
      List.of(
          "direct_broadcast",
          "binomial_broadcast",
          "direct_gather",
          "direct_scatter",
          "chain_forward");

  /** Programs that apply hooks, some to elements that not every GPU converts. */
  public static final List<String> HOOKED =
      List.of(
          "transposing_all_to_all",
          "quantised_all_gather",
          "weighted_moe_combine",
          "expert_counts");

  /** Programs whose transfers depend on words of their inputs and are not known beforehand. */
  public static final List<String> COUNTED = List.of("all_to_all_v", "moe_dispatch", "moe_combine");

  /** All programs except those with hooks. */
  public static List<String> all() {
    return Stream.of(NAMES, REDUCING, MAPPED, ENGINES, ROOTED, COUNTED)
        .flatMap(List::stream)
        .toList();
  }

  /** The line of the all-gather by packets that sets the number of lanes, to be edited. */
  public static final String LANES = "let K = min(128, max(4, ceil(B, 512)))";

  private ShippedPrograms() {}

  /** The text of that program. */
  public static String text(String name) {
    String path = "/programs/" + name + ".oriel";
    try (InputStream in = Form.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalArgumentException("unknown program: name=" + name + "; known: " + NAMES);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Parameters for {@code bytes} bytes, a given root, domains of two and 3 tokens. */
  public static Map<String, Long> params(Form form, long bytes, long root) {
    Map<String, Long> all = Map.of("B", bytes, "root", root, "domain", 2L, "R", 3L, "T", 3L);
    return form.params().stream()
        .map(Form.Param::name)
        .collect(Collectors.toMap(name -> name, name -> all.getOrDefault(name, bytes)));
  }

  /** The form of that program. */
  public static Form form(String name) {
    return FormParser.parse(text(name));
  }

  /**
   * A shipped program with pieces of its text changed, each of which must occur exactly once.
   *
   * @param changes pairs of a piece and its replacement
   */
  public static Form edited(String name, String... changes) {
    String text = text(name);
    for (int i = 0; i < changes.length; i += 2) {
      if (text.split(Pattern.quote(changes[i]), -1).length != 2) {
        throw new IllegalArgumentException(
            "text does not stand exactly once: name=%s, text=%s; see the program"
                .formatted(name, changes[i]));
      }
      text = text.replace(changes[i], changes[i + 1]);
    }
    return FormParser.parse(text);
  }
}
