package dev.oriel.ibverbs;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.IntoMap;
import dagger.multibindings.StringKey;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.run.ProcessGroup;
import dev.oriel.ibverbs.run.VerbsExecutor;
import dev.oriel.ibverbs.window.VerbsCommunicators;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;

/**
 * Adds the first RDMA device of this host, by name, to an application's executors and communicator
 * factories. The executor runs all ranks of a program in this process. The communicators' windows
 * are in host memory. Ranks reach each other only over the network.
 *
 * <p>The application binds a {@link FabricListener} and a {@link Clock}, and injects a map of
 * providers. No library is loaded before the provider is called, which opens the device anew.
 */
@Module
public interface IbverbsModule {

  /**
   * The executor of the device; the caller closes it.
   *
   * @throws dev.oriel.ports.MachineException saying what this host lacks
   */
  @Provides
  @IntoMap
  @StringKey("ibverbs")
  static Executor executor(FabricListener listener, Clock clock) {
    return VerbsExecutor.open(ProcessGroup.ALONE, VerbsSettings.USUAL, listener, clock);
  }

  /** Communicators over the device, among threads or processes; joining opens the device. */
  @Provides
  @IntoMap
  @StringKey("ibverbs")
  static Communicator.Factory communicators(Clock clock) {
    return VerbsCommunicators.of(VerbsSettings.USUAL, clock);
  }
}
