package dev.oriel.it.check;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.program.AppliedHooks;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.SignalArray;
import dev.oriel.domain.topology.Topology;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A program in one world with one value for each parameter; {@code world} is the spelling of
 * options.
 */
record Combination(String world, Topology topology, Program program) {

  /** The factor for bytes whose elements hooks make. */
  private static final long HOOKS = 32;

  /** The world and the values, as a verdict names them among others. */
  String words() {
    return world + values(program.params());
  }

  /** The values and the world, as a verdict names them in a sentence. */
  String place() {
    return place(world, program.params());
  }

  static String place(String world, Map<String, Long> params) {
    return params.isEmpty() ? world : values(params).strip() + " in " + world;
  }

  /** Values as {@code --set} takes them, each after a space. */
  static String values(Map<String, Long> params) {
    return params.entrySet().stream()
        .map(param -> " " + param.getKey() + "=" + param.getValue())
        .collect(Collectors.joining());
  }

  /** Bytes that an execution sets up and judges, weighted more if hooks make the elements. */
  long work() {
    return bytes() * (AppliedHooks.of(program.form()).isEmpty() ? 1 : HOOKS);
  }

  /**
   * The size of a state times the lanes that change it: the time of an execution grows with both.
   * The state has a clock for each lane, with an entry for each lane.
   */
  long load() {
    long lanes = 0;
    for (int r = 0; r < program.world(); r++) {
      lanes += program.rank(r).lanes().size();
    }
    return (work() + Integer.BYTES * lanes * lanes) * Math.max(1, lanes);
  }

  /** Bytes of all memory of all ranks. */
  long bytes() {
    Form form = program.form();
    long bytes = 0;
    for (int r = 0; r < program.world(); r++) {
      RankProgram rank = program.rank(r);
      for (Buffer buffer : form.buffers()) {
        bytes += buffer.isAlias() ? 0 : rank.bytes(buffer.name());
      }
      for (SignalArray signal : form.signals()) {
        bytes += (long) Long.BYTES * rank.slots(signal.name()) * program.world();
      }
    }
    return bytes;
  }
}
