package dev.oriel.domain.registration;

/** The network interfaces of one rank, as a cache of registrations needs them. */
public interface Interfaces {

  /** The number of interfaces. */
  int count();

  /**
   * Lets an interface touch the memory.
   *
   * @throws RuntimeException if it cannot; it then keeps nothing
   */
  Key register(int number, Span memory);

  /** Ends that access; called once for each key that was given. */
  void deregister(int number, Key key);
}
