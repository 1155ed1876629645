package dev.oriel.ibverbs.run;

import dev.oriel.ibverbs.fabric.PeerConnections;
import dev.oriel.ibverbs.fabric.RankEndpoint;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.ucx.UcxConnections;
import dev.oriel.ibverbs.verbs.ClosingSequence;
import dev.oriel.ibverbs.verbs.DeviceContext;
import java.util.List;

/** The devices and endpoints that connect ranks. */
interface DeviceWiring extends AutoCloseable {

  /** The machine's name. */
  default String name() {
    return "ibverbs";
  }

  /** That rank's connections, for one program. */
  PeerConnections connections(int rank, int world);

  @Override
  void close();

  /** Over UCX, by the transports of this machine. */
  static DeviceWiring ucx(int depth) {
    return new DeviceWiring() {
      @Override
      public String name() {
        return "ucx";
      }

      @Override
      public PeerConnections connections(int rank, int world) {
        return new UcxConnections(rank, world, depth);
      }

      @Override
      public void close() {}
    };
  }

  /** Open devices, closed with it. */
  static DeviceWiring over(List<DeviceContext> devices, VerbsSettings settings) {
    return new DeviceWiring() {
      @Override
      public PeerConnections connections(int rank, int world) {
        return new RankEndpoint(devices, rank, world, settings);
      }

      @Override
      public void close() {
        new ClosingSequence().each(devices, DeviceContext::close).end();
      }
    };
  }
}
