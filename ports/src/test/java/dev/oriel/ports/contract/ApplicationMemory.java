package dev.oriel.ports.contract;

import dev.oriel.ports.UserMemory;

/** Memory that an application allocates on the machine of one rank, without this library. */
public interface ApplicationMemory {

  /** Allocates zeroed memory that peers can reach. */
  UserMemory allocate(long bytes);

  /** Frees what {@link #allocate} gave. */
  void free(UserMemory memory);

  /** Writes bytes as the application does. */
  void write(UserMemory memory, long offset, byte[] bytes);

  /** Reads bytes as the application does. */
  byte[] read(UserMemory memory, long offset, int length);
}
