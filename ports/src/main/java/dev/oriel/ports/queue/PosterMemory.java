package dev.oriel.ports.queue;

import dev.oriel.ports.MachineException;

/** Memory as posters reach it, for queues that lie in it. */
@FunctionalInterface
public interface PosterMemory {

  /**
   * Makes memory of so many bytes, zeroed, that posters, interfaces and this process share and that
   * outlives the connection.
   */
  SharedMemory allocate(int bytes);

  /**
   * Lets posters reach memory of this process that was made by an interface's library, until {@link
   * #forget}.
   *
   * @return its address for posters
   * @throws MachineException if they cannot
   */
  default long reach(long address, long bytes) {
    throw refused("memory of an interface's library", address);
  }

  /** The same for a register of an interface, which no copy can stand for. */
  default long reachRegister(long address, long bytes) {
    throw refused("a register of an interface", address);
  }

  /**
   * Posters reach nothing any more of what {@link #reach} and {@link #reachRegister} gave them. A
   * connection asks for it before all else that it closes: the library unmaps that memory with its
   * queues, and nobody may have it registered then. Asked again, it does nothing.
   */
  default void forget() {}

  private static MachineException refused(String what, long address) {
    return new MachineException(
        "posters do not reach %s: address=0x%x; hand requests to a proxy".formatted(what, address));
  }
}
