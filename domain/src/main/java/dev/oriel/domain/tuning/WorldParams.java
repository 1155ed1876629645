package dev.oriel.domain.tuning;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import java.util.OptionalLong;

/** Parameters that the world determines, so that no user has to choose them. */
public final class WorldParams {
  /** The parameter that is the number of ranks of a host. */
  public static final String DOMAIN = "domain";

  private WorldParams() {}

  /** The value of that parameter in that world, if the world determines it. */
  public static OptionalLong value(Form.Param param, Topology topology) {
    return param.name().equals(DOMAIN)
        ? OptionalLong.of(Math.min(param.max(), row(topology)))
        : OptionalLong.empty();
  }

  /** Whether the form has lanes for ranks of a domain and others for ranks outside it. */
  static boolean levelled(Form form) {
    return form.params().stream().anyMatch(param -> param.name().equals(DOMAIN));
  }

  /**
   * The most consecutive ranks that NVLink joins, if such rows divide the world. With ranks
   * numbered otherwise it is 1, since a program may only rely on a row that is one everywhere.
   */
  static int row(Topology topology) {
    int row = topology.domains().getFirst().size();
    return topology.world() % row == 0 && isRowed(topology, row) ? row : 1;
  }

  /**
   * Whether each rank has NVLink peers, namely those of its row, and peers without NVLink, namely
   * all others.
   */
  static boolean mixed(Topology topology) {
    int row = row(topology);
    return 1 < row
        && row < topology.world()
        && topology.domains().size() == topology.world() / row
        && topology.transitive();
  }

  private static boolean isRowed(Topology topology, int row) {
    for (int rank = 0; rank < topology.world(); rank++) {
      if (topology.domainOf(rank) != topology.domainOf(rank - rank % row)) {
        return false;
      }
    }
    return true;
  }
}
