package dev.oriel.ibverbs.run;

import dev.oriel.ibverbs.fabric.Connections;
import dev.oriel.ibverbs.fabric.Endpoint;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.verbs.Closing;
import dev.oriel.ibverbs.verbs.Context;
import java.util.List;

/** The devices and endpoints that connect ranks. */
interface Wiring extends AutoCloseable {

  /** That rank's connections, for one program. */
  Connections connections(int rank, int world);

  @Override
  void close();

  /** Open devices, closed with it. */
  static Wiring over(List<Context> devices, VerbsSettings settings) {
    return new Wiring() {
      @Override
      public Connections connections(int rank, int world) {
        return new Endpoint(devices, rank, world, settings);
      }

      @Override
      public void close() {
        new Closing().each(devices, Context::close).end();
      }
    };
  }
}
