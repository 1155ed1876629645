package dev.oriel.sim.machine.provenance;

import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.HookOperands;
import dev.oriel.sim.code.WorldCode;
import org.jspecify.annotations.Nullable;

/** Combines several sources into one: their values, and the origin of each byte. */
public sealed interface SourceCombiner permits ReductionCombiner, HookCombiner {

  /** How many bytes of that source a move of {@code length} bytes reads. */
  int taken(int source, int length);

  /** Combines adjacent sources in {@code data}; the result replaces the first bytes. */
  void make(long[] data, int sources, int length);

  /** The function of that combination; null where bytes are copied. */
  static @Nullable SourceCombiner of(Combine combine, WorldCode code) {
    return switch (combine) {
      case Combine.Copy() -> null;
      case Combine.Reduce r -> new ReductionCombiner(r, ReductionCombiner.ordered(code));
      case Combine.Apply(HookForm hook, HookOperands _) -> new HookCombiner(hook);
    };
  }
}
