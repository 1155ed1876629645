package dev.oriel.cuda.driver;

import dev.oriel.ports.MachineException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Pages of this process that another component made, as GPUs reach them: memory, and registers of
 * network interfaces. A page is mapped once, however many objects in it are requested.
 *
 * <p>Mapping of registers has never run, for want of an interface.
 */
public final class MappedPages implements AutoCloseable {
  private static final long PAGE = 4096;
  private static final int PORTABLE_AND_MAPPED = 1 | 2;
  private static final int DEVICE_MEMORY = 4;

  /** Maps pages. */
  interface Driver {

    /**
     * The address of a run of pages for GPUs.
     *
     * @throws MachineException if nothing of it can be mapped
     */
    long map(long start, long bytes, int flags, String remedy);

    /** Unmaps the run that begins there. */
    void unmap(long start);
  }

  private record Run(long end, long shift) {}

  private final Driver driver;
  private final ResourceStack owned = new ResourceStack();

  /** The mapped runs by their first page; no two overlap. */
  private final TreeMap<Long, Run> runs = new TreeMap<>();

  public MappedPages(Gpu gpu) {
    this(new HostPages(gpu));
  }

  MappedPages(Driver driver) {
    this.driver = driver;
  }

  /**
   * The address of this process's memory for GPUs.
   *
   * @throws MachineException if the driver does not map it
   */
  public long memory(long address, long bytes) {
    return mapped(address, bytes, PORTABLE_AND_MAPPED, "unmap it elsewhere first");
  }

  /** The address of a register for GPUs. */
  public long register(long address, long bytes) {
    return mapped(
        address,
        bytes,
        PORTABLE_AND_MAPPED | DEVICE_MEMORY,
        "let the driver map registers (module option NVreg_RegistryDwords=\"PeerMappingOverride=1\"), or hand requests to a proxy (--network verbs)");
  }

  private long mapped(long address, long bytes, int flags, String remedy) {
    long start = Math.floorDiv(address, PAGE) * PAGE;
    long end = Math.ceilDiv(address + bytes, PAGE) * PAGE;
    Run first = covering(start, end, flags, remedy);
    for (long at = first.end(); at < end; ) {
      Run next = covering(at, end, flags, remedy);
      if (next.shift() != first.shift()) {
        throw new MachineException(
            "pages have no contiguous GPU address: address=0x%x, bytes=%d, gap at=0x%x; map the whole range before a part of it"
                .formatted(address, bytes, at));
      }
      at = next.end();
    }
    return address + first.shift();
  }

  /**
   * The run that contains a page. If there is none, maps all pages up to the next run or the end.
   */
  private Run covering(long page, long end, int flags, String remedy) {
    Map.Entry<Long, Run> before = runs.floorEntry(page);
    if (before != null && page < before.getValue().end()) {
      return before.getValue();
    }
    Long after = runs.higherKey(page);
    long until = after == null ? end : Math.min(end, after);
    Run run = new Run(until, driver.map(page, until - page, flags, remedy) - page);
    runs.put(page, run);
    owned.add(() -> driver.unmap(page));
    return run;
  }

  @Override
  public void close() {
    runs.clear();
    owned.close();
  }
}
