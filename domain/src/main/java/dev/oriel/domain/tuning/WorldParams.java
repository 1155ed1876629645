package dev.oriel.domain.tuning;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import java.util.OptionalLong;

/** Parameters that nobody has to choose, because the world determines them. */
public final class WorldParams {
  private static final String DOMAIN = "domain";

  private WorldParams() {}

  /** The value of that parameter in that world, if the world determines it. */
  public static OptionalLong value(Form.Param param, Topology topology) {
    return param.name().equals(DOMAIN)
        ? OptionalLong.of(Math.min(param.max(), row(topology)))
        : OptionalLong.empty();
  }

  /** Whether the form has lanes for ranks of a domain and others for those beyond it. */
  static boolean levelled(Form form) {
    return form.params().stream().anyMatch(param -> param.name().equals(DOMAIN));
  }

  /**
   * The most ranks in a row that NVLink joins, where the rows divide the world: with ranks numbered
   * otherwise it is 1, since who takes two ranks of a row as joined must be right everywhere.
   */
  static int row(Topology topology) {
    int row = topology.domains().getFirst().size();
    return topology.world() % row == 0 && isRowed(topology, row) ? row : 1;
  }

  /**
   * Whether each rank has peers that NVLink joins, those of its row, and peers that it does not,
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
