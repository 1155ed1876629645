package dev.oriel.sim.machine.layout;

import dev.oriel.domain.hook.ContextField;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.HookOperands;
import dev.oriel.sim.code.CopyLayout;
import dev.oriel.sim.machine.provenance.HookCombiner;
import dev.oriel.sim.machine.provenance.ReductionCombiner;
import dev.oriel.sim.machine.provenance.SourceCombiner;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The functions that combine several sources into one, for every copy of a program. */
public final class CopyCombiners {
  private final MachineModel model;

  /** By number of a combination; null where bytes are copied and where a hook takes operands. */
  private final @Nullable SourceCombiner[] known;

  /** By number of a combination: a hook that takes operands from its copy. */
  private final @Nullable Asking[] asking;

  CopyCombiners(MachineModel model) {
    this.model = model;
    known = new SourceCombiner[model.code.combines()];
    asking = new Asking[known.length];
    for (int i = 0; i < known.length; i++) {
      if (model.code.combineAt(i) instanceof Combine.Apply apply
          && !apply.operands().fields().isEmpty()) {
        asking[i] = new Asking(apply);
      } else {
        known[i] = SourceCombiner.of(model.code.combineAt(i), model.code);
      }
    }
  }

  /** Whether a hook takes operands from its copy, or scatters its outputs. */
  public boolean placed() {
    return Arrays.stream(asking).anyMatch(Objects::nonNull)
        || Arrays.stream(known).anyMatch(m -> m instanceof HookCombiner hook && hook.scatters());
  }

  /** Whether any copy makes bytes of its own, by a reduction or a hook. */
  public boolean combines() {
    return IntStream.range(0, known.length).anyMatch(i -> known[i] != null || asking[i] != null);
  }

  /** Whether any copy reduces. */
  public boolean reduces() {
    return Arrays.stream(known).anyMatch(m -> m instanceof ReductionCombiner);
  }

  /** Whether some reduction's bytes do not depend on the order of its sources. */
  public boolean reducesInAnyOrder() {
    return Arrays.stream(known)
        .anyMatch(m -> m instanceof ReductionCombiner reduction && reduction.inAnyOrder());
  }

  /** The function of the combination of that number; null for a copy or a hook with operands. */
  public @Nullable SourceCombiner fixed(int combine) {
    return known[combine];
  }

  /** The function that makes the bytes of the copy at {@code at}; null where they are copied. */
  public @Nullable SourceCombiner of(long[] registers, int lane, int at) {
    int[] ops = model.lane(lane).ops();
    Asking hook = asking[ops[at + 2]];
    if (hook == null) {
      return known[ops[at + 2]];
    }
    long[] values = new long[CopyLayout.hookOperands(ops, at)];
    for (int i = 0; i < values.length; i++) {
      int operand = ops[CopyLayout.hookOperand(ops, at, i)];
      values[i] = model.code.operands().value(operand, registers, model.firstRegister[lane]);
    }
    return hook.specialised(values);
  }

  /** How many bytes of a source a copy reads to make {@code length} bytes. */
  public static long taken(@Nullable SourceCombiner making, int source, long length) {
    return making == null ? length : making.taken(source, Math.toIntExact(length));
  }

  /** The end of what a copy writes, counted from a destination's first byte. */
  public static long written(@Nullable SourceCombiner making, long length) {
    return making instanceof HookCombiner hook ? hook.written(Math.toIntExact(length)) : length;
  }

  /** A hook that depends on the operands of its copy. */
  private static final class Asking {
    private final HookForm hook;
    private final ContextField[] fields;

    /**
     * The last specialised hook; it is needed again at once, before its copy and while that waits.
     */
    private @Nullable Last last;

    @SuppressWarnings("ArrayRecordComponent") // made here, and changed by nobody
    private record Last(long[] values, HookCombiner hook) {}

    Asking(Combine.Apply apply) {
      hook = apply.hook();
      fields = apply.operands().fields().keySet().toArray(ContextField[]::new);
    }

    HookCombiner specialised(long[] values) {
      Last known = last;
      if (known == null || !Arrays.equals(known.values, values)) {
        Map<ContextField, Expr> operands = new EnumMap<>(ContextField.class);
        for (int i = 0; i < values.length; i++) {
          operands.put(fields[i], Expr.of(values[i]));
        }
        known =
            new Last(
                values,
                new HookCombiner(new Combine.Apply(hook, new HookOperands(operands)).boundHook()));
        last = known;
      }
      return known.hook;
    }
  }
}
