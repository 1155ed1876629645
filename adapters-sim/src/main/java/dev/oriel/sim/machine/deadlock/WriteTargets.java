package dev.oriel.sim.machine.deadlock;

import dev.oriel.sim.code.CopyLayout;
import dev.oriel.sim.code.LaneOpcode;
import dev.oriel.sim.code.LaneOpcode.Request;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.WordLayout;

/**
 * The words that an instruction may write, as far as the code says so. An operand with a constant
 * value names one rank, one index or one byte; any other operand may name all of them.
 */
final class WriteTargets {
  private static final long ANY = -1;

  private final MachineModel model;

  WriteTargets(MachineModel model) {
    this.model = model;
  }

  /** Whether the lane's instruction may write the word; of slots, only those of the lane's rank. */
  boolean mayChange(int lane, int at, int word) {
    int[] ops = model.lane(lane).ops();
    int kind = model.words.kindOf[word];
    return kind < model.words.signals
        ? changesSlot(ops, at, word)
        : changesBytes(lane, ops, at, word, (kind - model.words.signals) % model.buffers);
  }

  private boolean changesSlot(int[] ops, int at, int word) {
    return switch (ops[at]) {
      case LaneOpcode.WRITE_SLOT -> reaches(ops[at + 3], word) && slot(ops, at + 1, word);
      case LaneOpcode.POST ->
          is(ops[at + 2], model.words.owner[word])
              && switch (ops[at + 1]) {
                case Request.SLOT -> slot(ops, at + 6, word);
                case Request.WRITE_AND_SIGNAL -> slot(ops, at + 11, word);
                default -> false;
              };
      default -> false;
    };
  }

  /** Whether the signal and the index there are those of the slot, whatever its source. */
  private boolean slot(int[] ops, int signal, int word) {
    WordLayout table = model.words;
    int kind = table.kindOf[word];
    int perSource = Math.max(1, table.slots(table.owner[word], kind));
    return ops[signal] == kind && is(ops[signal + 1], table.offset[word] % perSource);
  }

  private boolean changesBytes(int lane, int[] ops, int at, int word, int buffer) {
    int owner = model.words.owner[word];
    boolean own = owner == model.rank(lane);
    return switch (ops[at]) {
      case LaneOpcode.RMW ->
          ops[at + 5] != 0
              && reaches(ops[at + 3], word)
              && bytes(ops, at + 2, at + 4, word, buffer);
      case LaneOpcode.STORE -> own && bytes(ops, at + 1, at + 2, word, buffer);
      case LaneOpcode.COPY -> copies(ops, at, word, buffer);
      case LaneOpcode.BULK -> reaches(ops[at + 3], word) && model.base[ops[at + 2]] == buffer;
      case LaneOpcode.POST ->
          switch (ops[at + 1]) {
            case Request.CHANGE ->
                is(ops[at + 2], owner) && bytes(ops, at + 8, at + 9, word, buffer);
            case Request.WRITE, Request.WRITE_AND_SIGNAL ->
                is(ops[at + 2], owner) && model.base[ops[at + 8]] == buffer;
            case Request.COUNT -> own && bytes(ops, at + 6, at + 7, word, buffer);
            default -> false;
          };
      default -> false;
    };
  }

  private boolean copies(int[] ops, int at, int word, int buffer) {
    for (int d = 0; d < CopyLayout.destinations(ops, at); d++) {
      int place = CopyLayout.destination(at, d);
      if (model.base[ops[place + CopyLayout.BUFFER]] == buffer
          && reaches(ops[place + CopyLayout.RANKS], word)) {
        return true;
      }
    }
    return false;
  }

  /** Whether it is that buffer, and the 8 bytes from that offset on overlap the word. */
  private boolean bytes(int[] ops, int of, int offset, int word, int buffer) {
    long from = model.code.operands().always(ops[offset], ANY);
    return model.base[ops[of]] == buffer
        && (from == ANY || Math.abs(from - model.words.offset[word]) < Long.BYTES);
  }

  private boolean reaches(int ranks, int word) {
    int owner = model.words.owner[word];
    if (ranks < 0) {
      return is(~ranks, owner);
    }
    for (int rank : model.code.members(ranks)) {
      if (rank == owner) {
        return true;
      }
    }
    return false;
  }

  private boolean is(int operand, long wanted) {
    long always = model.code.operands().always(operand, ANY);
    return always == ANY || always == wanted;
  }
}
