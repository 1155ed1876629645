package dev.oriel.ibverbs.post;

/** Where every rank's memory is, and with which keys it is reached. */
public interface AddressBook {
  /**
   * That rank's buffer of that name.
   *
   * @throws dev.oriel.ports.MachineException if it is not registered
   */
  Memory buffer(int rank, String name);

  /**
   * That rank's signal slots, laid out as {@link SlotTable} says. For {@link Operation.ReadBack} to
   * mean anything, they lie in the memory of the same device as the rank's buffers.
   */
  Memory slots(int rank);

  /** At least 8 bytes of that rank, 8-byte aligned, into which answers go that nobody reads. */
  Memory sink(int rank);
}
