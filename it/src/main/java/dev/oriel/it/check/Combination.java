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

/** A program in one world with one value for each parameter, and the world as options write it. */
record Combination(String world, Topology topology, Program program) {

  /** How much longer bytes take whose elements hooks make. */
  private static final long HOOKS = 32;

  /** The world and the values, as a verdict names them among others. */
  String words() {
    return world + values(program.params());
  }

  /** Values as {@code --set} takes them, each behind a space. */
  static String values(Map<String, Long> params) {
    return params.entrySet().stream()
        .map(param -> " " + param.getKey() + "=" + param.getValue())
        .collect(Collectors.joining());
  }

  /** Bytes that an execution sets up and judges, more of them where hooks make each element. */
  long work() {
    return bytes() * (AppliedHooks.of(program.form()).isEmpty() ? 1 : HOOKS);
  }

  /** How large a state is and how many lanes change it: what an execution takes grows with both. */
  long load() {
    long lanes = 0;
    for (int r = 0; r < program.world(); r++) {
      lanes += program.rank(r).lanes().size();
    }
    return work() * Math.max(1, lanes);
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
