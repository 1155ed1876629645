package dev.oriel.domain.tuning;

import static dev.oriel.domain.tuning.Collective.ALLGATHER;
import static dev.oriel.domain.tuning.Collective.ALLREDUCE;
import static dev.oriel.domain.tuning.Collective.ALLTOALL;
import static dev.oriel.domain.tuning.Collective.ALLTOALLV;
import static dev.oriel.domain.tuning.Collective.BROADCAST;
import static dev.oriel.domain.tuning.Collective.GATHER;
import static dev.oriel.domain.tuning.Collective.REDUCESCATTER;
import static dev.oriel.domain.tuning.Collective.SCATTER;
import static dev.oriel.domain.tuning.Collective.SENDRECV;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A program that the library provides: its name for users, and its purpose. This is the only list
 * of them, so the same programs can be run, checked and chosen everywhere.
 *
 * @param name the name in commands
 * @param text the resource {@code /programs/TEXT.oriel}, which holds the form of that name
 * @param purpose the collective that it implements, or why it is a candidate for none
 */
public record ShippedProgram(String name, String text, Purpose purpose) {

  /** The purpose of a program. */
  public sealed interface Purpose {
    /** Implements a collective, with an algorithm that no other program for it has. */
    record Does(Collective collective, String algorithm) implements Purpose {}

    /** Cannot be chosen, for that reason. */
    record Alone(String reason) implements Purpose {}
  }

  private static final Purpose ROUNDS =
      new Purpose.Alone("what arrives is rounded, so it is no all-gather of its input");
  private static final Purpose TURNS =
      new Purpose.Alone("what arrives is transposed, so it is no all-to-all of its input");
  private static final Purpose TOKENS =
      new Purpose.Alone("nothing else does it, and its size is a number of tokens");
  private static final Purpose EXPERTS =
      new Purpose.Alone("nothing else does it, and its size is that of a table of experts");
  private static final Purpose SIZELESS = new Purpose.Alone("it has no size to be chosen by");

  private static final String ARRIVES =
      "a peer's data would overwrite the rank's own data before it is read";
  private static final String FETCHED =
      "what has come is put where a network interface may still fetch from";
  private static final String SPREADS =
      "the result of one element would overwrite a source element that is not yet read";

  /** Why some programs with one input and one output have no form in place. */
  private static final Map<String, String> APART =
      Map.of(
          "copy-alltoall", ARRIVES,
          "push-alltoall", ARRIVES,
          "split-alltoall", ARRIVES,
          "push-sendrecv", ARRIVES,
          "sendrecv", FETCHED,
          "transpose-alltoall", SPREADS,
          "expert-counts", SPREADS);

  /** All shipped programs, ordered by name. */
  public static final List<ShippedProgram> ALL =
      Stream.of(
              does(ALLGATHER, "ll", "allgather", "ll_all_gather"),
              does(ALLGATHER, "ll128", "ll128-allgather", "ll128_all_gather"),
              does(ALLGATHER, "copy", "copy-allgather", "copy_all_gather"),
              does(ALLGATHER, "push", "push-allgather", "push_all_gather"),
              does(ALLGATHER, "ring", "ring", "ring_all_gather"),
              does(ALLGATHER, "log", "log", "log_all_gather"),
              does(ALLGATHER, "bruck", "bruck-allgather", "bruck_all_gather"),
              does(ALLGATHER, "doubling", "doubling-allgather", "doubling_all_gather"),
              does(ALLGATHER, "streamed", "streamed-allgather", "streamed_all_gather"),
              does(ALLGATHER, "rail", "rail-allgather", "rail_all_gather"),
              does(ALLTOALL, "ll", "alltoall", "ll_all_to_all"),
              does(ALLTOALL, "ll128", "ll128-alltoall", "ll128_all_to_all"),
              does(ALLTOALL, "copy", "copy-alltoall", "copy_all_to_all"),
              does(ALLTOALL, "push", "push-alltoall", "push_all_to_all"),
              does(ALLTOALL, "split", "split-alltoall", "split_all_to_all"),
              does(ALLTOALLV, "push", "alltoallv", "all_to_all_v"),
              does(ALLREDUCE, "ll", "allreduce", "ll_all_reduce"),
              does(ALLREDUCE, "ll128", "ll128-allreduce", "ll128_all_reduce"),
              does(ALLREDUCE, "twoshot", "twoshot-allreduce", "two_shot_all_reduce"),
              does(ALLREDUCE, "ring", "ring-allreduce", "ring_all_reduce"),
              does(ALLREDUCE, "tree", "tree-allreduce", "tree_all_reduce"),
              does(ALLREDUCE, "rail", "rail-allreduce", "rail_all_reduce"),
              does(ALLREDUCE, "pull", "pull-allreduce", "pull_all_reduce"),
              does(REDUCESCATTER, "ll", "reducescatter", "ll_reduce_scatter"),
              does(REDUCESCATTER, "ll128", "ll128-reducescatter", "ll128_reduce_scatter"),
              does(REDUCESCATTER, "push", "push-reducescatter", "direct_reduce_scatter"),
              does(REDUCESCATTER, "ring", "ring-reducescatter", "ring_reduce_scatter"),
              does(REDUCESCATTER, "pull", "pull-reducescatter", "pull_reduce_scatter"),
              does(REDUCESCATTER, "halving", "halving-reducescatter", "halving_reduce_scatter"),
              does(BROADCAST, "direct", "broadcast", "direct_broadcast"),
              does(BROADCAST, "tree", "tree-broadcast", "binomial_broadcast"),
              does(BROADCAST, "copy", "copy-broadcast", "copy_broadcast"),
              does(BROADCAST, "chain", "forward", "chain_forward"),
              does(GATHER, "direct", "gather", "direct_gather"),
              does(SCATTER, "direct", "scatter", "direct_scatter"),
              does(SENDRECV, "ring", "sendrecv", "ring_send_recv"),
              does(SENDRECV, "push", "push-sendrecv", "push_send_recv"),
              does(SENDRECV, "ll", "ll-sendrecv", "ll_send_recv"),
              new ShippedProgram("fp8-allgather", "quantised_all_gather", ROUNDS),
              new ShippedProgram("transpose-alltoall", "transposing_all_to_all", TURNS),
              new ShippedProgram("moe-dispatch", "moe_dispatch", TOKENS),
              new ShippedProgram("moe-combine", "moe_combine", TOKENS),
              new ShippedProgram("weighted-moe-combine", "weighted_moe_combine", TOKENS),
              new ShippedProgram("expert-counts", "expert_counts", EXPERTS),
              new ShippedProgram("dissemination-barrier", "dissemination_barrier", SIZELESS),
              new ShippedProgram("barrier", "signal_barrier", SIZELESS))
          .sorted(Comparator.comparing(ShippedProgram::name))
          .toList();

  private static ShippedProgram does(
      Collective collective, String algorithm, String name, String text) {
    return new ShippedProgram(name, text, new Purpose.Does(collective, algorithm));
  }

  /** The program of that name. */
  public static Optional<ShippedProgram> named(String name) {
    return ALL.stream().filter(program -> program.name().equals(name)).findFirst();
  }

  /** The program whose form has that name. */
  public static Optional<ShippedProgram> ofForm(String name) {
    return ALL.stream().filter(program -> program.text().equals(name)).findFirst();
  }

  /** The programs that implement the collective. */
  public static List<ShippedProgram> doing(Collective collective) {
    return ALL.stream().filter(program -> program.does(collective)).toList();
  }

  /** The name of its algorithm; empty if it implements no collective. */
  public String algorithm() {
    return purpose instanceof Purpose.Does(var _, String algorithm) ? algorithm : "";
  }

  /**
   * Why the program is wrong with one buffer as input and output. Empty if it is right, or if no
   * such form exists.
   */
  public String apart() {
    return APART.getOrDefault(name, "");
  }

  private boolean does(Collective collective) {
    return purpose instanceof Purpose.Does(Collective done, var _) && done == collective;
  }
}
