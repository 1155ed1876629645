package dev.oriel.it.options;

import static java.util.Map.entry;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Parser;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.sim.museum.Catalogue;
import dev.oriel.sim.museum.Exhibit;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Finds the text of a program: one that comes with Oriel, or a file. */
public final class ProgramTexts {
  private static final Map<String, String> SHIPPED =
      new TreeMap<>(
          Map.ofEntries(
              entry("allgather", "ll_all_gather"),
              entry("alltoall", "ll_all_to_all"),
              entry("ll128-allgather", "ll128_all_gather"),
              entry("ll128-alltoall", "ll128_all_to_all"),
              entry("ll128-reducescatter", "ll128_reduce_scatter"),
              entry("ll128-allreduce", "ll128_all_reduce"),
              entry("copy-allgather", "copy_all_gather"),
              entry("copy-alltoall", "copy_all_to_all"),
              entry("copy-broadcast", "copy_broadcast"),
              entry("push-allgather", "push_all_gather"),
              entry("push-alltoall", "push_all_to_all"),
              entry("transpose-alltoall", "transposing_all_to_all"),
              entry("fp8-allgather", "quantised_all_gather"),
              entry("alltoallv", "all_to_all_v"),
              entry("moe-dispatch", "moe_dispatch"),
              entry("moe-combine", "moe_combine"),
              entry("weighted-moe-combine", "weighted_moe_combine"),
              entry("barrier", "signal_barrier"),
              entry("dissemination-barrier", "dissemination_barrier"),
              entry("sendrecv", "ring_send_recv"),
              entry("push-sendrecv", "push_send_recv"),
              entry("ll-sendrecv", "ll_send_recv"),
              entry("ring", "ring_all_gather"),
              entry("log", "log_all_gather"),
              entry("bruck-allgather", "bruck_all_gather"),
              entry("doubling-allgather", "doubling_all_gather"),
              entry("streamed-allgather", "streamed_all_gather"),
              entry("rail-allgather", "rail_all_gather"),
              entry("tree-allreduce", "tree_all_reduce"),
              entry("rail-allreduce", "rail_all_reduce"),
              entry("halving-reducescatter", "halving_reduce_scatter"),
              entry("allreduce", "ll_all_reduce"),
              entry("twoshot-allreduce", "two_shot_all_reduce"),
              entry("ring-allreduce", "ring_all_reduce"),
              entry("pull-allreduce", "pull_all_reduce"),
              entry("reducescatter", "ll_reduce_scatter"),
              entry("push-reducescatter", "direct_reduce_scatter"),
              entry("ring-reducescatter", "ring_reduce_scatter"),
              entry("broadcast", "direct_broadcast"),
              entry("tree-broadcast", "binomial_broadcast"),
              entry("forward", "chain_forward"),
              entry("gather", "direct_gather"),
              entry("scatter", "direct_scatter")));

  private static final String MUSEUM = "museum:";
  private static final String TWIN = "/twin";

  private ProgramTexts() {}

  /** The names of all programs that come along, in order. */
  public static List<String> names() {
    return List.copyOf(SHIPPED.keySet());
  }

  /** The program that comes along under that name. */
  public static Form shipped(CommandSpec spec, String name) {
    if (!SHIPPED.containsKey(name)) {
      throw new ParameterException(
          spec.commandLine(),
          "unknown program: name=%s; give one of %s"
              .formatted(name, String.join(", ", SHIPPED.keySet())));
    }
    return form(spec, name);
  }

  public static Form form(CommandSpec spec, String name) {
    return Parser.parse(text(spec, name));
  }

  private static String text(CommandSpec spec, String name) {
    if (name.startsWith(MUSEUM)) {
      return exhibit(spec, name.substring(MUSEUM.length()));
    }
    String shipped = SHIPPED.get(name);
    try {
      if (shipped == null) {
        return file(spec, name);
      }
      try (InputStream in = Form.class.getResourceAsStream("/programs/" + shipped + ".oriel")) {
        if (in == null) {
          throw new ProgramException("shipped program is missing: name=" + shipped + "; reinstall");
        }
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    } catch (IOException e) {
      throw new ParameterException(
          spec.commandLine(),
          "cannot read the program: path=%s, reason=%s; check the path".formatted(name, e));
    }
  }

  private static String exhibit(CommandSpec spec, String name) {
    boolean twin = name.endsWith(TWIN);
    String row = twin ? name.substring(0, name.length() - TWIN.length()) : name;
    Catalogue catalogue = Catalogue.read();
    return catalogue
        .find(row)
        .flatMap(Exhibit::showcase)
        .map(showcase -> twin ? showcase.edit().twin() : showcase.edit().broken())
        .orElseThrow(() ->
            new ParameterException(
                spec.commandLine(),
                catalogue.find(row).isPresent()
                    ? "no such exhibit with a program: row=%s; 'oriel museum' says why"
                        .formatted(row)
                    : catalogue.missing(row)));
  }

  private static String file(CommandSpec spec, String name) throws IOException {
    Path path = Path.of(name);
    if (!Files.isRegularFile(path)) {
      throw new ParameterException(
          spec.commandLine(),
          "no such program or file: name=%s; give the path of a program text, museum:ROW, museum:ROW/twin, or one of %s"
              .formatted(name, String.join(", ", SHIPPED.keySet())));
    }
    return Files.readString(path);
  }
}
