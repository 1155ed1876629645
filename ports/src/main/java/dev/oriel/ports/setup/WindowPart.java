package dev.oriel.ports.setup;

import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import java.util.Optional;

/** A buffer that may be a rank's part of windows. It cannot be closed while it is one. */
public interface WindowPart extends LocalBuffer {

  /** The address of the first byte; 0 where memory has no addresses. */
  long address();

  /** The windows that use the buffer. */
  PartUse use();

  /** The buffer, if it may be a part. */
  static Optional<WindowPart> ifPart(LocalBuffer buffer) {
    return buffer instanceof WindowPart part ? Optional.of(part) : Optional.empty();
  }

  /**
   * The buffer as one that may be a part.
   *
   * @throws MachineException if it may not be, such as a window
   */
  static WindowPart of(LocalBuffer buffer) {
    return ifPart(buffer)
        .orElseThrow(() ->
            new MachineException(
                "no buffer of a communicator: class=%s; pass a buffer of this communicator, not a window"
                    .formatted(buffer.getClass().getSimpleName())));
  }
}
