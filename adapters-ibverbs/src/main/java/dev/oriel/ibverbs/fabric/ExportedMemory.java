package dev.oriel.ibverbs.fabric;

import java.util.List;

/** Memory to which peers have access through every interface, each with keys of its own. */
public interface ExportedMemory extends AutoCloseable {

  /** The local key for requests of that interface. */
  int localKey(int number);

  /** The remote keys for peers, of each interface in order. */
  List<Integer> remoteKeys();

  /** Revokes the access; a second call does nothing. */
  @Override
  void close();
}
