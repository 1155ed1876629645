package dev.oriel.domain.topology;

import java.util.List;

/**
 * Encodes the shape of a topology as words: the world, then for each rank its host, its domain and
 * the size of its neighbourhood, and its members if NVLink is not transitive.
 */
final class ShapeDigest {

  private ShapeDigest() {}

  static Digest128 of(Topology topology) {
    int[] hostOf = hostOf(topology);
    Digest128.Accumulator words = new Digest128.Accumulator().add(topology.world());
    for (int rank = 0; rank < topology.world(); rank++) {
      IndexSet near = topology.neighbourhood(rank);
      words.add(hostOf[rank]).add(topology.domainOf(rank)).add(near.size());
      if (!topology.transitive()) {
        near.stream().forEach(words::add);
      }
    }
    return words.digest();
  }

  private static int[] hostOf(Topology topology) {
    int[] hostOf = new int[topology.world()];
    List<IndexSet> hosts = topology.hosts();
    for (int host = 0; host < hosts.size(); host++) {
      int index = host;
      hosts.get(host).stream().forEach(rank -> hostOf[rank] = index);
    }
    return hostOf;
  }
}
