package dev.oriel.ports.setup;

import dev.oriel.ports.LocalBuffer;

/**
 * A buffer that lies in memory of a machine: by itself, or as a window's own part.
 *
 * @param <M> the machine's memory
 */
public interface InMemory<M extends OwnMemory> extends LocalBuffer {

  /** Where it lies; refused where the buffer may no longer be used. */
  M memory();
}
