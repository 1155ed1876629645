package dev.oriel.it.suite;

import dev.oriel.it.options.ProgramTexts;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** Programs that are launched very often, each in one small size: what wears off comes soon. */
final class ListedPrograms {
  /** Every way of moving bytes: packets, lines, stores, loads, engines; rings, trees and levels. */
  private static final String LIST =
      """
      allgather 1000
      ll128-allgather 1000
      push-allgather 4099
      copy-allgather 4096
      ring 4099
      log 1000
      streamed-allgather 4096
      rail-allgather 1000
      alltoall 1000
      ll128-alltoall 4099
      push-alltoall 1000
      copy-alltoall 1001
      allreduce 1000
      twoshot-allreduce 4096
      ll128-allreduce 4096
      ring-allreduce 4096
      tree-allreduce 1000
      pull-allreduce 4096
      reducescatter 1000
      push-reducescatter 4096
      halving-reducescatter 1000
      broadcast 4099
      copy-broadcast 4096
      sendrecv 4099
      barrier 0
      """;

  private ListedPrograms() {}

  static List<Suite.Entry> entries(CommandSpec spec) {
    return Arrays.stream(LIST.split("\n"))
        .map(line -> line.split(" "))
        .map(words ->
            Suite.entry(words[0], ProgramTexts.shipped(spec, words[0]))
                .with(List.of(Long.parseLong(words[1]))))
        .toList();
  }
}
