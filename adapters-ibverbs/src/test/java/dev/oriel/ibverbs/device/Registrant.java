package dev.oriel.ibverbs.device;

import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.verbs.DeviceList;
import dev.oriel.ibverbs.verbs.HostMemory;
import dev.oriel.ibverbs.verbs.MemoryPurpose;
import dev.oriel.ibverbs.verbs.MemoryRegion;
import dev.oriel.ibverbs.verbs.ProtectionDomain;
import dev.oriel.ibverbs.verbs.RegistrationAccess;
import dev.oriel.ports.MachineException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/**
 * Registers a mebibyte, and then pages until there are enough or no more can be had; prints the
 * result.
 */
public final class Registrant {
  private static final int PAGE = 4096;
  private static final int ENOUGH = 64;

  private Registrant() {}

  public static void main(String[] args) {
    try (DeviceContext context = DeviceList.load().open(System.getProperty("oriel.device", ""));
        ProtectionDomain domain = context.domain();
        HostMemory memory = HostMemory.allocate(1 << 20)) {
      said(() -> register(domain, memory.address(), memory.bytes()).close());
      pages(domain, memory);
    } catch (MachineException e) {
      said(() -> {
        throw e;
      });
    }
  }

  private static MemoryRegion register(ProtectionDomain domain, long address, long bytes) {
    return domain.register(
        address, bytes, MemoryPurpose.BULK, EnumSet.of(RegistrationAccess.LOCAL_WRITE));
  }

  /**
   * Each stays registered; once no more can be had, one is deregistered and another one registered.
   */
  private static void pages(ProtectionDomain domain, HostMemory memory) {
    List<MemoryRegion> regions = new ArrayList<>();
    boolean more = true;
    while (more && regions.size() < ENOUGH) {
      long page = memory.address() + (long) PAGE * regions.size();
      more = said(() -> regions.add(register(domain, page, PAGE)));
    }
    System.out.println("pages=" + regions.size());
    regions.removeLast().close();
    System.out.print("again: ");
    boolean ignored = said(() -> regions.add(register(domain, memory.address(), PAGE)));
    regions.forEach(MemoryRegion::close);
  }

  private static boolean said(Runnable register) {
    try {
      register.run();
      System.out.println("registered");
      return true;
    } catch (MachineException e) {
      System.out.println("environment=" + e.environment() + ": " + e.getMessage());
      return false;
    }
  }
}
