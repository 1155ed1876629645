package dev.oriel.ports.queue;

import dev.oriel.ports.MachineException;

/** Memory that posters can reach, for queues that lie in it. */
@FunctionalInterface
public interface InitiatorMemory {

  /**
   * Allocates {@code bytes} zeroed bytes that posters, interfaces and this process share and that
   * outlive the connection.
   */
  SharedQueueMemory allocate(int bytes);

  /**
   * Lets posters reach memory of this process that an interface's library allocated, until {@link
   * #forget}.
   *
   * @return its address for posters
   * @throws MachineException if they cannot
   */
  default long reach(long address, long bytes) {
    throw refused("memory of an interface's library", address);
  }

  /** The same for a register of an interface, which cannot be replaced by a copy. */
  default long reachRegister(long address, long bytes) {
    throw refused("a register of an interface", address);
  }

  /**
   * Ends the posters' access to all that {@link #reach} and {@link #reachRegister} gave them. A
   * connection calls this before it closes anything else: the library unmaps that memory with its
   * queues, and it must not be registered then. A second call does nothing.
   */
  default void forget() {}

  private static MachineException refused(String what, long address) {
    return new MachineException(
        "posters do not reach %s: address=0x%x; hand requests to a proxy".formatted(what, address));
  }
}
