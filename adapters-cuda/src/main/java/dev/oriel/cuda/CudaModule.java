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
 * Adds the GPUs of this process, by name, to an app's executors and communicator factories.
 *
 * <p>The app binds a {@link FabricListener} and a {@link Clock}, and asks for a map of providers:
 * nothing of CUDA is loaded before an executor is asked for, which opens every GPU anew, or a rank
 * joins.
 */
@Module
public interface CudaModule {

  /**
   * The executor of the GPUs; whoever asks closes it.
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
   * Communicators on the GPUs of this host, for ranks that are threads or processes; who joins
   * opens the GPU of its rank.
   */
  @Provides
  @IntoMap
  @StringKey("cuda")
  static Communicator.Factory communicators(Clock clock) {
    return GpuCommunicators.byRank(clock);
  }
}
