package dev.oriel.ibverbs.fabric;

import java.util.List;

/** Memory that peers have access to by every interface, each of which has keys of its own. */
public interface Exported extends AutoCloseable {

  /** By which requests of that interface name it. */
  int localKey(int number);

  /** By which peers name it, of each interface in order. */
  List<Integer> remoteKeys();

  /** Takes the access back; twice does nothing. */
  @Override
  void close();
}
