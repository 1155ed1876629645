package dev.oriel.sim.tuning;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Parser;
import dev.oriel.domain.tuning.Candidate;
import dev.oriel.domain.tuning.Collective;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The programs that come along, as candidates under the names that the command gives them. */
final class Shipped {
  private static final Map<Collective, Map<String, String>> TEXTS =
      new TreeMap<>(
          Map.of(
              Collective.ALLGATHER,
              texts(
                  "allgather=ll_all_gather",
                  "ll128-allgather=ll128_all_gather",
                  "copy-allgather=copy_all_gather",
                  "push-allgather=push_all_gather",
                  "ring=ring_all_gather",
                  "log=log_all_gather"),
              Collective.ALLTOALL,
              texts(
                  "alltoall=ll_all_to_all",
                  "ll128-alltoall=ll128_all_to_all",
                  "copy-alltoall=copy_all_to_all",
                  "push-alltoall=push_all_to_all"),
              Collective.ALLREDUCE,
              texts(
                  "allreduce=ll_all_reduce",
                  "twoshot-allreduce=two_shot_all_reduce",
                  "ll128-allreduce=ll128_all_reduce",
                  "pull-allreduce=pull_all_reduce",
                  "ring-allreduce=ring_all_reduce"),
              Collective.REDUCESCATTER,
              texts(
                  "reducescatter=ll_reduce_scatter",
                  "ll128-reducescatter=ll128_reduce_scatter",
                  "push-reducescatter=direct_reduce_scatter",
                  "ring-reducescatter=ring_reduce_scatter"),
              Collective.BROADCAST,
              texts("broadcast=direct_broadcast", "tree-broadcast=binomial_broadcast"),
              Collective.GATHER,
              texts("gather=direct_gather"),
              Collective.SCATTER,
              texts("scatter=direct_scatter"),
              Collective.SENDRECV,
              texts("sendrecv=ring_send_recv", "push-sendrecv=push_send_recv")));

  private Shipped() {}

  /** The texts of the programs for a collective, by name. */
  static Map<String, String> texts(Collective collective) {
    return Objects.requireNonNull(TEXTS.get(collective));
  }

  static List<Candidate> candidates(Collective collective) {
    return texts(collective).entrySet().stream()
        .map(e -> new Candidate(e.getKey(), Parser.parse(e.getValue())))
        .toList();
  }

  /** The lines of a test resource that are no comments. */
  static List<String> lines(String resource) {
    return read(Shipped.class, resource).lines().filter(line -> !line.startsWith("#")).toList();
  }

  private static Map<String, String> texts(String... named) {
    Map<String, String> texts = new TreeMap<>();
    for (String one : named) {
      int equals = one.indexOf('=');
      texts.put(
          one.substring(0, equals),
          read(Form.class, "/programs/" + one.substring(equals + 1) + ".oriel"));
    }
    return texts;
  }

  private static String read(Class<?> where, String resource) {
    try (InputStream in = where.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
