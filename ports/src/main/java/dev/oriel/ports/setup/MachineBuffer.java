package dev.oriel.ports.setup;

import dev.oriel.ports.LocalBuffer;

/**
 * A buffer in memory of a machine: separate, or a window's own part.
 *
 * @param <M> the machine's memory
 */
public interface MachineBuffer<M extends OwnMemory> extends LocalBuffer {

  /** Its memory; throws if the buffer may no longer be used. */
  M memory();
}
