package dev.oriel.ibverbs.device;

import dev.oriel.ibverbs.verbs.Access;
import dev.oriel.ibverbs.verbs.Context;
import dev.oriel.ibverbs.verbs.Devices;
import dev.oriel.ibverbs.verbs.HostMemory;
import dev.oriel.ibverbs.verbs.MemoryRegion;
import dev.oriel.ibverbs.verbs.ProtectionDomain;
import dev.oriel.ibverbs.verbs.Purpose;
import dev.oriel.ports.MachineException;
import java.util.EnumSet;

/** Registers a mebibyte and says how that went. */
public final class Registrant {
  private Registrant() {}

  public static void main(String[] args) {
    try (Context context = Devices.load().open(System.getProperty("oriel.device", ""));
        ProtectionDomain domain = context.domain();
        HostMemory memory = HostMemory.allocate(1 << 20);
        MemoryRegion region =
            domain.register(memory, Purpose.BULK, EnumSet.of(Access.LOCAL_WRITE))) {
      System.out.println("registered: " + (region.localKey() != 0));
    } catch (MachineException e) {
      System.out.println("environment=" + e.environment() + ": " + e.getMessage());
    }
  }
}
