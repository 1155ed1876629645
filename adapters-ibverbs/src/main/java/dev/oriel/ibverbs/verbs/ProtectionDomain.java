package dev.oriel.ibverbs.verbs;

import dev.oriel.ports.MachineException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.TreeSet;

/** A protection domain: its memory and queue pairs can be used together, and with no others. */
public final class ProtectionDomain extends NativeHandle {
  private final ControlPathCalls library;
  private final DeviceContext context;

  ProtectionDomain(ControlPathCalls library, DeviceContext context, MemorySegment pointer) {
    super("protection domain", pointer, context);
    this.library = library;
    this.context = context;
  }

  /**
   * Registers the memory, which must stay open as long as the registration.
   *
   * @throws MachineException if the device or the process cannot have the access, or if it would
   *     give up the order of words that others poll
   */
  public MemoryRegion register(
      HostMemory memory, MemoryPurpose purpose, Set<RegistrationAccess> access) {
    return register(memory.address(), memory.bytes(), purpose, access);
  }

  /**
   * Registers any bytes of this process, which must stay in place while the registration is open.
   */
  public MemoryRegion register(
      long address, long bytes, MemoryPurpose purpose, Set<RegistrationAccess> access) {
    int bits = bits(bytes, purpose, access);
    String facts = at(address) + facts(bytes, purpose, access);
    MemorySegment start = MemorySegment.ofAddress(address);
    // A kernel refuses an optional access that it does not know. A library that knows that the
    // access is optional leaves it out for such a kernel.
    MemorySegment made =
        access.contains(RegistrationAccess.RELAXED_ORDERING)
            ? library.make(
                VerbsFunction.REG_MR_IOVA2, facts, pointer(), start, bytes, address, bits)
            : library.make(VerbsFunction.REG_MR, facts, pointer(), start, bytes, bits);
    return new MemoryRegion(library, this, made);
  }

  /**
   * Registers bytes under other addresses, from {@code named} on, with the same offset in a page.
   */
  public MemoryRegion register(
      long address, long bytes, long named, MemoryPurpose purpose, Set<RegistrationAccess> access) {
    int bits = bits(bytes, purpose, access);
    MemorySegment made =
        library.make(
            access.contains(RegistrationAccess.RELAXED_ORDERING)
                ? VerbsFunction.REG_MR_IOVA2
                : VerbsFunction.REG_MR_IOVA,
            at(address) + facts(bytes, purpose, access) + ", named=0x%x".formatted(named),
            pointer(),
            MemorySegment.ofAddress(address),
            bytes,
            named,
            bits);
    return new MemoryRegion(library, this, made);
  }

  /**
   * Registers memory of a device that its driver exports as a file, from that offset in the file
   * on.
   */
  public MemoryRegion registerFile(
      int file,
      long offset,
      long bytes,
      long named,
      MemoryPurpose purpose,
      Set<RegistrationAccess> access) {
    int bits = bits(bytes, purpose, access);
    MemorySegment made =
        library.make(
            VerbsFunction.REG_DMABUF_MR,
            facts(bytes, purpose, access) + ", named=0x%x, file=%d".formatted(named, file),
            pointer(),
            offset,
            bytes,
            named,
            file,
            bits);
    return new MemoryRegion(library, this, made);
  }

  private static String at(long address) {
    return "address=0x%x, ".formatted(address);
  }

  private static String facts(long bytes, MemoryPurpose purpose, Set<RegistrationAccess> access) {
    return "bytes=%d, purpose=%s, access=%s".formatted(bytes, purpose, new TreeSet<>(access));
  }

  private static int bits(long bytes, MemoryPurpose purpose, Set<RegistrationAccess> access) {
    String facts = facts(bytes, purpose, access);
    if (bytes <= 0) {
      throw new MachineException("nothing to register: " + facts + "; register at least one byte");
    }
    if (purpose == MemoryPurpose.FLAGS && access.contains(RegistrationAccess.RELAXED_ORDERING)) {
      throw new MachineException(
          "relaxed order refused: %s; words that tell of other bytes need strict order"
              .formatted(facts));
    }
    boolean written =
        access.contains(RegistrationAccess.REMOTE_WRITE)
            || access.contains(RegistrationAccess.REMOTE_ATOMIC);
    if (written && !access.contains(RegistrationAccess.LOCAL_WRITE)) {
      throw new MachineException(
          "peers cannot have write access without the device's own: %s; add LOCAL_WRITE"
              .formatted(facts));
    }
    return access.stream().mapToInt(RegistrationAccess::bit).sum();
  }

  /**
   * A reliable connected queue pair, in state RESET.
   *
   * @throws MachineException naming the limit that it exceeds
   */
  public QueuePair queuePair(QueueSizes sizes, CompletionQueue sent, CompletionQueue received) {
    DeviceLimits limits = context.limits();
    sizes.check(limits);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment a = arena.allocate(ControlPathLayouts.QP_INIT_ATTR);
      sizes.write(a, sent.pointer(), received.pointer());
      MemorySegment made = library.make(VerbsFunction.CREATE_QP, sizes.toString(), pointer(), a);
      return new QueuePair(
          library, this, context.operations(), made, QueueSizes.read(a), limits, sent, received);
    }
  }

  @Override
  void destroy() {
    library.check(VerbsFunction.DEALLOC_PD, "domain", remains());
  }
}
