package dev.oriel.sim.machine.launch;

import dev.oriel.sim.code.CopyLayout;
import dev.oriel.sim.code.InstructionBounds;
import dev.oriel.sim.code.LaneOpcode;
import dev.oriel.sim.code.LaneOpcode.Request;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.provenance.HookCombiner;
import dev.oriel.sim.machine.provenance.SourceCombiner;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Buffers that may hold bytes of inputs. Inputs differ from rank to rank. So if steps depend on
 * those bytes, no two ranks behave alike. They also differ from launch to launch, except for the
 * words that lanes load: these take the same values in turn.
 */
public final class InputTaint {
  private final MachineModel model;
  private final ExecutionSettings settings;

  /** Buffers, as base buffers, that may hold such bytes. */
  private final BitSet holds = new BitSet();

  /** The same without buffers that hold no bytes of inputs but words that lanes load. */
  private final BitSet holdsOthers = new BitSet();

  /** Whether steps may depend on words that lanes load. */
  private final boolean words;

  private boolean grown = true;
  private String against = "";

  /**
   * Looks at all instructions.
   *
   * @param words whether loads, and rows of a hook, may depend on words that lanes load
   */
  public InputTaint(MachineModel model, ExecutionSettings settings, boolean words) {
    this.model = model;
    this.settings = settings;
    this.words = words;
    for (int b = 0; b < model.buffers; b++) {
      if (model.space(b).filled()) {
        holds.set(model.base[b]);
        holdsOthers.set(model.base[b], holdsOthers.get(model.base[b]) || !model.inputs.areWords(b));
      }
    }
    while (grown) {
      grown = false;
      all(false);
    }
    all(true);
    for (int b = 0; b < model.buffers; b++) {
      if (model.scan.wordBuffers.get(b)) {
        uses(b, "are changed or awaited as words");
      }
    }
  }

  /** The first use that depends on bytes of inputs; empty if there is none. */
  public String against() {
    return against;
  }

  private void uses(int buffer, String how) {
    if (holds.get(model.base[buffer])) {
      object("bytes that come from inputs %s in %s".formatted(how, model.buffer(buffer)));
    }
  }

  /** As {@link #uses}, for values that may be words that lanes load. */
  private void reads(int buffer, String how) {
    if (!words || holdsOthers.get(model.base[buffer])) {
      uses(buffer, how);
    }
  }

  private void object(String why) {
    against = against.isEmpty() ? why : against;
  }

  private void all(boolean judges) {
    for (int l = 0; l < model.lanes; l++) {
      int[] ops = model.lane(l).ops();
      LaneValues known = new LaneValues(model, l, settings);
      for (int at = 0; at < ops.length; at = InstructionBounds.next(ops, at)) {
        switch (ops[at]) {
          case LaneOpcode.COPY -> copy(ops, at, judges);
          case LaneOpcode.BULK -> plain(ops[at + 5], ops[at + 2], judges);
          case LaneOpcode.POST -> post(ops, at, known, judges);
          case LaneOpcode.LOAD -> {
            if (judges) {
              reads(ops[at + 2], "are loaded");
            }
          }
          default -> {}
        }
        known.over(at);
      }
    }
  }

  private void flows(int from, int to) {
    for (BitSet each : new BitSet[] {holds, holdsOthers}) {
      if (each.get(model.base[from]) && !each.get(model.base[to])) {
        each.set(model.base[to]);
        grown = true;
      }
    }
  }

  /** Notes a copy of unchanged bytes; where the target holds packets, they may become flags. */
  private void plain(int from, int to, boolean judges) {
    flows(from, to);
    if (judges && model.scan.format[model.base[to]] >= 0) {
      uses(from, "may become flags of packets: they come from");
    }
  }

  private void copy(int[] ops, int at, boolean judges) {
    @Nullable SourceCombiner making = model.makings.fixed(ops[at + 2]);
    for (int s = 0; s < CopyLayout.sources(ops, at); s++) {
      int source = ops[CopyLayout.source(ops, at, s)];
      for (int d = 0; d < CopyLayout.destinations(ops, at); d++) {
        int place = CopyLayout.destination(at, d);
        if (ops[place + CopyLayout.FORMAT] >= 0) {
          flows(source, ops[place]);
        } else {
          plain(source, ops[place], judges);
        }
      }
      if (judges && making instanceof HookCombiner hook && hook.gathers(s)) {
        int table = ops[CopyLayout.source(ops, at, hook.table(s))];
        if (!words || holdsOthers.get(model.base[table])) {
          object("a hook takes rows that bytes of memory name");
        }
      }
    }
  }

  private void post(int[] ops, int at, LaneValues known, boolean judges) {
    int a = at + 6;
    switch (ops[at + 1]) {
      case Request.WRITE, Request.WRITE_AND_SIGNAL -> transfer(ops, a, a + 2, a, known, judges);
      case Request.READ -> transfer(ops, a + 2, a, a, known, judges);
      default -> {}
    }
  }

  private void transfer(int[] ops, int from, int to, int a, LaneValues known, boolean judges) {
    int source = model.base[ops[from]];
    int target = model.base[ops[to]];
    boolean packets =
        model.scan.format[target] >= 0
            && model.scan.format[target] == model.scan.format[source]
            && whole(known.of(ops[a + 1]), target)
            && whole(known.of(ops[a + 3]), target)
            && whole(known.of(ops[a + 4]), target);
    if (packets) {
      flows(source, target);
    } else {
      plain(source, target, judges);
    }
  }

  /** Whether the value is always a whole number of packets. */
  private boolean whole(long @Nullable [] values, int buffer) {
    boolean whole = values != null;
    for (int i = 0; values != null && whole && i < values.length; i++) {
      whole = values[i] % model.scan.unit(buffer) == 0;
    }
    return whole;
  }
}
