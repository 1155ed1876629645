package dev.oriel.domain.registration;

/** The network interfaces of one rank, as a cache of registrations needs them. */
public interface NetworkInterfaces {

  /** The number of interfaces. */
  int count();

  /**
   * Lets an interface touch the memory.
   *
   * @throws RuntimeException if it cannot; it then keeps nothing
   */
  RegistrationKeys register(int number, AddressRange memory);

  /** Ends that access; called once for each key that was given. */
  void deregister(int number, RegistrationKeys key);
}
