package dev.oriel.sim.engine;

import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.binding.RankProgram.LaneInstance;
import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.LoweredStep;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.program.LaneFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One lane instance between two steps: its position, its registers, its stores and requests in
 * flight.
 */
final class LaneState {
  final RankProgram program;
  final LaneInstance instance;
  final LoweredLane code;
  final Map<String, Long> registers = new TreeMap<>();

  /** Stores not yet visible to others, oldest first; the lane itself reads them. */
  final List<PendingStore> stores = new ArrayList<>();

  /** Requests not yet placed, oldest first, by peer. */
  final Map<Integer, List<Posted>> queues = new TreeMap<>();

  int at;
  int failure;
  boolean ended;

  /** A request with its operands fixed at the time of posting. */
  sealed interface Posted {
    record Write(int buffer, long offset, int length, int toBuffer, long toOffset)
        implements Posted {}

    record Read(int buffer, long offset, int length, int fromBuffer, long fromOffset)
        implements Posted {}

    record Slot(PendingStore store) implements Posted {}

    record ReadBack() implements Posted {}
  }

  LaneState(RankProgram program, LaneInstance instance, LoweredLane code) {
    this.program = program;
    this.instance = instance;
    this.code = code;
    registers.put("epoch", 0L);
    for (LaneFamily.State s : code.persistent()) {
      registers.put(s.name(), 0L);
    }
    ended = true;
  }

  LaneState(LaneState other) {
    program = other.program;
    instance = other.instance;
    code = other.code;
    registers.putAll(other.registers);
    stores.addAll(other.stores);
    other.queues.forEach((peer, queue) -> queues.put(peer, new ArrayList<>(queue)));
    at = other.at;
    failure = other.failure;
    ended = other.ended;
  }

  int rank() {
    return program.rank();
  }

  LoweredStep step() {
    return code.steps().get(at);
  }

  MicroOperation micro() {
    return step().micro();
  }

  long name(String name) {
    Long register = registers.get(name);
    if (register != null) {
      return register;
    }
    Long index = instance.indices().get(name);
    return index != null ? index : program.known(name);
  }

  String label() {
    return "rank=" + rank() + ", lane=" + instance.label();
  }
}
