package dev.oriel.ibverbs.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.oriel.ports.MachineException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

/** The RDMA devices of this host. */
public final class DeviceList {
  private static final long NAME_BYTES = 64;

  private final ControlPathCalls library;

  DeviceList(ControlPathCalls library) {
    this.library = library;
  }

  /**
   * The devices of this machine's library.
   *
   * @throws MachineException if there is no library, with the reason and the remedy
   */
  public static DeviceList load() {
    return new DeviceList(ControlPathCalls.load());
  }

  /** Their names, in the library's order; empty if there is no device. */
  public List<String> names() {
    return each((name, _) -> name);
  }

  /**
   * Opens the device of that name, or the first for an empty name.
   *
   * @throws MachineException if there is none, or this user has no permission
   */
  public DeviceContext open(String name) {
    List<DeviceContext> opened = new ArrayList<>();
    each((found, device) -> {
      if (opened.isEmpty() && (name.isEmpty() || name.equals(found))) {
        opened.add(new DeviceContext(library, found, openNow(found, device)));
      }
      return found;
    });
    if (opened.isEmpty()) {
      throw MachineException.lacking(
          "no such RDMA device: name=%s, devices=%s; load the driver of the network interface, see rdma link"
              .formatted(name.isEmpty() ? "any" : name, names()));
    }
    return opened.getFirst();
  }

  /**
   * Opens each of them; if one cannot be opened, none stays open.
   *
   * @throws MachineException as {@link #open(String)}, or if one is named twice
   */
  public List<DeviceContext> open(List<String> names) {
    if (Set.copyOf(names).size() < names.size()) {
      throw new MachineException(
          "device named twice: devices=%s; name each interface once".formatted(names));
    }
    List<DeviceContext> opened = new ArrayList<>();
    try {
      names.forEach(name -> opened.add(open(name)));
      return List.copyOf(opened);
    } catch (RuntimeException e) {
      opened.forEach(DeviceContext::close);
      throw e;
    }
  }

  private MemorySegment openNow(String name, MemorySegment device) {
    ControlPathCalls.Answer answer = library.call(VerbsFunction.OPEN_DEVICE, device);
    if (answer.pointer().address() == 0) {
      // The library tries several ways, and the error may be of the last one: "no such file"
      // instead of "no permission".
      throw MachineException.lacking(
          "ibv_open_device refused: device=%s, error=%s; give this user access to /dev/infiniband/uverbs*, in a container pass these devices"
              .formatted(name, Errno.name(answer.errno())));
    }
    return answer.pointer();
  }

  @SuppressWarnings("restricted")
  private <T> List<T> each(BiFunction<String, MemorySegment, T> use) {
    List<T> used = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(JAVA_INT);
      ControlPathCalls.Answer answer = library.call(VerbsFunction.GET_DEVICE_LIST, count);
      if (answer.pointer().address() == 0) {
        // The kernel has no verbs at all: report no device.
        return used;
      }
      int devices = count.get(JAVA_INT, 0);
      MemorySegment list = answer.pointer().reinterpret(ADDRESS.byteSize() * (devices + 1L));
      try {
        for (int i = 0; i < devices; i++) {
          MemorySegment device = list.getAtIndex(ADDRESS, i);
          MemorySegment name = library.call(VerbsFunction.GET_DEVICE_NAME, device).pointer();
          used.add(use.apply(name.reinterpret(NAME_BYTES).getString(0), device));
        }
      } finally {
        library.call(VerbsFunction.FREE_DEVICE_LIST, answer.pointer());
      }
    }
    return used;
  }
}
