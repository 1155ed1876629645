package dev.oriel.it.example;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.contract.ShippedPrograms;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Gathers three ranks' bytes on the machine that its argument names, and prints them. */
final class ExampleMain {
  private ExampleMain() {}

  public static void main(String[] arguments) {
    byte[] gathered =
        DaggerExampleComponent.factory()
            .create(FabricListener.NONE, System::nanoTime)
            .app()
            .allGather(
                arguments[0],
                Program.bind(ShippedPrograms.form("ll_all_gather"), 3, Map.of("B", 2L)),
                Topology.parse("1x3"),
                List.of(new byte[] {1, 2}, new byte[] {3, 4}, new byte[] {5, 6}));
    System.out.println("gathered " + Arrays.toString(gathered));
  }
}
