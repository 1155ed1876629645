package dev.oriel.it.suite;

import dev.oriel.it.options.ProgramTexts;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** Programs that are launched very often, each in one small size, so that wear shows soon. */
final class ListedPrograms {
  /**
   * Every shipped program, so every way of moving bytes: in packets, lines, rings, levels. Only
   * {@code split-alltoall} is missing, which needs a world with two kinds of peers.
   */
  private static final String LIST =
      """
      allgather 1000
      ll128-allgather 1000
      push-allgather 4099
      copy-allgather 4096
      ring 4099
      log 1000
      streamed-allgather 4096
      bruck-allgather 1000
      doubling-allgather 4099
      rail-allgather 1000
      fp8-allgather 1024
      alltoall 1000
      ll128-alltoall 4099
      push-alltoall 1000
      copy-alltoall 1001
      transpose-alltoall 256
      alltoallv 1000
      moe-dispatch 1000
      moe-combine 1000
      weighted-moe-combine 1000
      expert-counts 64
      allreduce 1000
      twoshot-allreduce 4096
      ll128-allreduce 4096
      ring-allreduce 4096
      tree-allreduce 1000
      rail-allreduce 4096
      pull-allreduce 4096
      reducescatter 1000
      ll128-reducescatter 1000
      push-reducescatter 4096
      pull-reducescatter 4096
      ring-reducescatter 4096
      halving-reducescatter 1000
      broadcast 4099
      tree-broadcast 1000
      copy-broadcast 4096
      forward 4099
      gather 1000
      scatter 1000
      sendrecv 4099
      push-sendrecv 4099
      ll-sendrecv 1000
      barrier 0
      dissemination-barrier 0
      """;

  private ListedPrograms() {}

  static List<ProgramSuite.Entry> entries(CommandSpec spec) {
    return Arrays.stream(LIST.split("\n"))
        .map(line -> line.split(" "))
        .map(words ->
            ProgramSuite.entry(words[0], ProgramTexts.shipped(spec, words[0]))
                .with(List.of(Long.parseLong(words[1]))))
        .toList();
  }
}
