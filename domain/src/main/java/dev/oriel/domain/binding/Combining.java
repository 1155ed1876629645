package dev.oriel.domain.binding;

import dev.oriel.domain.data.Elements;
import dev.oriel.domain.data.Reduction;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.ProgramException;
import java.util.List;

/** The one meaning of what a move makes of its sources: every machine must agree with it. */
public final class Combining {
  private Combining() {}

  /**
   * The bytes that a move writes, given as many bytes of each source in their written order.
   *
   * @throws ProgramException if the length is no multiple of the element size
   */
  public static byte[] bytes(Combine combine, List<byte[]> sources) {
    byte[] first = sources.getFirst();
    return switch (combine) {
      case Combine.Copy() -> first;
      case Combine.Reduce(var op, var type, var accumulator) -> {
        if (first.length % type.bytes() != 0) {
          throw new ProgramException(
              "length is no whole number of elements: bytes=%d, type=%s; use a multiple of %d"
                  .formatted(first.length, type.symbol(), type.bytes()));
        }
        byte[] result = new byte[first.length];
        new Reduction(op, type, accumulator)
            .reduce(
                sources.stream().map(s -> Elements.of(type, s)).toList(),
                Elements.of(type, result));
        yield result;
      }
    };
  }
}
