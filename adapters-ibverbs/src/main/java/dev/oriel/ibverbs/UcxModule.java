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
import javax.inject.Named;

/**
 * Adds UCX to an application's executors and communicator factories: TCP, shared memory, RoCE or
 * InfiniBand, whatever this host has. The executor runs all ranks of a program in this process. The
 * communicators' windows are in host memory.
 *
 * <p>The application binds a {@link FabricListener}, a {@link Clock} and the threads named {@link
 * #PROGRESS}, and injects a map of providers. No library is loaded before the provider is called or
 * a communicator is joined.
 */
@Module
public interface UcxModule {
  /**
   * The name of the {@link java.util.concurrent.Executor} that runs one task for each communicator
   * until its end. Without an interface that does it, this task executes what peers request of the
   * rank. So the executor must have a thread for each communicator.
   */
  String PROGRESS = "oriel.ucx.progress";

  /**
   * The executor; the caller closes it.
   *
   * @throws dev.oriel.ports.MachineException saying what this host lacks
   */
  @Provides
  @IntoMap
  @StringKey("ucx")
  static Executor executor(FabricListener listener, Clock clock) {
    return VerbsExecutor.ucx(ProcessGroup.ALONE, listener, clock);
  }

  /** Communicators among threads or processes; joining opens the library. */
  @Provides
  @IntoMap
  @StringKey("ucx")
  static Communicator.Factory communicators(
      @Named(PROGRESS) java.util.concurrent.Executor threads, Clock clock) {
    return VerbsCommunicators.ucx(VerbsSettings.USUAL.depth(), Long.MAX_VALUE, threads, clock);
  }
}
