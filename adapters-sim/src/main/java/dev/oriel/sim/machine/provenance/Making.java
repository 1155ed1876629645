package dev.oriel.sim.machine.provenance;

import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.Told;
import dev.oriel.sim.code.WorldCode;
import org.jspecify.annotations.Nullable;

/** Makes one source of several: values, and where each byte of them came from. */
public sealed interface Making permits Reducer, Applied {

  /** How many bytes of that source a move of {@code length} bytes takes. */
  int taken(int source, int length);

  /** Of sources that lie one behind another, makes the bytes that lie in front of all then. */
  void make(long[] data, int sources, int length);

  /** What does what is said; null where bytes are copied. */
  static @Nullable Making of(Combine combine, WorldCode code) {
    return switch (combine) {
      case Combine.Copy() -> null;
      case Combine.Reduce r -> new Reducer(r, Reducer.ordered(code));
      case Combine.Apply(HookForm hook, Told _) -> new Applied(hook);
    };
  }
}
