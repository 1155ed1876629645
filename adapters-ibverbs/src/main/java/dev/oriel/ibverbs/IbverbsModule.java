package dev.oriel.ibverbs;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.IntoMap;
import dagger.multibindings.StringKey;
import dev.oriel.ibverbs.verbs.Presence;
import dev.oriel.ibverbs.verbs.VerbsLibrary;
import dev.oriel.ports.Executor;
import dev.oriel.ports.MachineException;

/**
 * Adds RDMA, by name, to an app's executors, so that an app that picks it is told why it cannot run
 * here. Programs are lowered to work requests so far; nothing posts them to a device.
 */
@Module
public interface IbverbsModule {

  /**
   * Refuses, in one sentence.
   *
   * @throws MachineException saying what this host lacks, or that posting is not there
   */
  @Provides
  @IntoMap
  @StringKey("ibverbs")
  static Executor executor() {
    String here =
        switch (VerbsLibrary.probe()) {
          case Presence.Present(String library) -> "no RDMA yet: library=" + library;
          case Presence.Absent absent -> absent.sentence();
        };
    throw MachineException.lacking(
        here
            + "; programs are lowered to work requests, and nothing posts them yet: choose another machine");
  }
}
