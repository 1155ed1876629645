package dev.oriel.it.example;

import dagger.BindsInstance;
import dagger.Component;
import dev.oriel.cuda.CudaModule;
import dev.oriel.ports.Clock;
import dev.oriel.ports.FabricListener;
import dev.oriel.sim.SimModule;

/** The app's own graph: one module for each machine that it may run on. */
@Component(modules = {SimModule.class, CudaModule.class})
interface ExampleComponent {

  /** The app. */
  ExampleApp app();

  /** Makes the graph from what only the app knows. */
  @Component.Factory
  interface Factory {
    ExampleComponent create(@BindsInstance FabricListener listener, @BindsInstance Clock clock);
  }
}
