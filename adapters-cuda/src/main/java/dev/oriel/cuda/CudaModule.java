package dev.oriel.cuda;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.IntoMap;
import dagger.multibindings.StringKey;
import dev.oriel.cuda.window.GpuCommunicators;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;

/**
 * Adds the GPUs of this process, by name, to an application's executors and communicator factories.
 *
 * <p>The application binds a {@link FabricListener} and a {@link Clock}, and injects a map of
 * providers. No CUDA library is loaded before an executor is requested, which opens every GPU anew,
 * or a rank joins.
 */
@Module
public interface CudaModule {

  /**
   * The executor of the GPUs; the caller closes it.
   *
   * @throws dev.oriel.ports.MachineException saying what this host lacks
   */
  @Provides
  @IntoMap
  @StringKey("cuda")
  static Executor executor(FabricListener listener, Clock clock) {
    return CudaExecutor.open(listener, clock);
  }

  /**
   * Communicators on the GPUs of this host, for ranks that are threads or processes. Joining opens
   * the GPU of the rank.
   */
  @Provides
  @IntoMap
  @StringKey("cuda")
  static Communicator.Factory communicators(Clock clock) {
    return GpuCommunicators.byRank(clock);
  }
}
