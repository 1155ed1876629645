package dev.oriel.domain.binding;

import dev.oriel.domain.data.ElementArray;
import dev.oriel.domain.data.Reduction;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.HookOperands;
import dev.oriel.domain.program.ProgramException;
import java.util.List;

/** The reference meaning of a move's combination of sources; every machine must agree with it. */
public final class CombineEvaluator {
  private CombineEvaluator() {}

  /** The bytes of that source that a move of {@code bytes} bytes takes. */
  public static long taken(Combine combine, int source, long bytes) {
    return combine instanceof Combine.Apply(HookForm hook, HookOperands _)
        ? BoundHook.of(hook).taken(source, bytes)
        : bytes;
  }

  /** The places of the result in a destination, or in the buffer of a post-condition. */
  public static List<BoundHook.Run> runs(Combine combine, int bytes) {
    return combine instanceof Combine.Apply(HookForm hook, HookOperands _)
        ? BoundHook.of(hook).runs(bytes)
        : List.of(new BoundHook.Run(0, 0, bytes));
  }

  /**
   * The bytes that a move writes, in the order of a hook's outputs, from the taken bytes of each
   * source in their written order.
   *
   * @throws ProgramException if the length is no multiple of the element size, or an element that a
   *     hook gathers does not exist
   */
  public static byte[] bytes(Combine combine, List<byte[]> sources, int bytes) {
    return switch (combine) {
      case Combine.Copy() -> sources.getFirst();
      case Combine.Apply(HookForm hook, HookOperands _) -> {
        try {
          yield BoundHook.of(hook).apply(sources, bytes);
        } catch (IllegalArgumentException refused) {
          throw new ProgramException(String.valueOf(refused.getMessage()));
        }
      }
      case Combine.Reduce(var op, var type, var accumulator) -> {
        if (bytes % type.bytes() != 0) {
          throw new ProgramException(
              "length is no whole number of elements: bytes=%d, type=%s; use a multiple of %d"
                  .formatted(bytes, type.symbol(), type.bytes()));
        }
        byte[] result = new byte[bytes];
        new Reduction(op, type, accumulator)
            .reduce(
                sources.stream().map(s -> ElementArray.of(type, s)).toList(),
                ElementArray.of(type, result));
        yield result;
      }
    };
  }
}
