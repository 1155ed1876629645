package dev.oriel.sim;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.IntoMap;
import dagger.multibindings.StringKey;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.sim.sequential.SequentialMachine;

/**
 * Adds the sequential machine, by name, to an app's executors and communicator factories.
 *
 * <p>The app binds a {@link FabricListener} and a {@link Clock}, and injects a map of providers.
 * Nothing is made before its provider is called, and each call makes another instance.
 */
@Module
public interface SimModule {

  /** The sequential executor; the caller closes it. */
  @Provides
  @IntoMap
  @StringKey(SequentialMachine.NAME)
  static Executor executor(FabricListener listener, Clock clock) {
    return SequentialMachine.executor(listener, clock);
  }

  /** Communicators among threads of this process; all ranks of a world join through one factory. */
  @Provides
  @IntoMap
  @StringKey(SequentialMachine.NAME)
  static Communicator.Factory communicators(Clock clock) {
    return SequentialMachine.communicators(clock);
  }
}
