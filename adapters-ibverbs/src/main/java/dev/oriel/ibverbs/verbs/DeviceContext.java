package dev.oriel.ibverbs.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.oriel.ports.MachineException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** An open device: its limits, the state of its ports, and the factory of all objects on it. */
public final class DeviceContext extends NativeHandle {
  private static final long EXTENDED = -1;

  private final ControlPathCalls library;
  private final String name;
  private final HotPathCalls operations;

  @SuppressWarnings("restricted")
  DeviceContext(ControlPathCalls library, String name, MemorySegment pointer) {
    super("device " + name, pointer.reinterpret(ControlPathLayouts.CONTEXT.byteSize()));
    this.library = library;
    this.name = name;
    long abi =
        remains().get(JAVA_LONG, ControlPathLayouts.at(ControlPathLayouts.CONTEXT, "abi_compat"));
    if (abi != EXTENDED) {
      close();
      throw MachineException.lacking(
          "device of an old library: device=%s, abi=%d; install rdma-core 28 or newer"
              .formatted(name, abi));
    }
    this.operations = new HotPathCalls(remains());
  }

  /** The device's name. */
  public String name() {
    return name;
  }

  /** The device's limits. */
  public DeviceLimits limits() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment a = arena.allocate(ControlPathLayouts.DEVICE_ATTR);
      library.check(VerbsFunction.QUERY_DEVICE, "device=" + name, pointer(), a);
      return new DeviceLimits(
          number(a, "max_qp"),
          number(a, "max_qp_wr"),
          number(a, "max_cqe"),
          number(a, "max_mr"),
          number(a, "max_qp_init_rd_atom"),
          number(a, "max_qp_rd_atom"),
          number(a, "atomic_cap") != VerbsConstants.ATOMIC_NONE,
          Byte.toUnsignedInt(
              a.get(
                  JAVA_BYTE,
                  ControlPathLayouts.at(ControlPathLayouts.DEVICE_ATTR, "phys_port_cnt"))));
    }
  }

  private static int number(MemorySegment attributes, String field) {
    return attributes.get(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.DEVICE_ATTR, field));
  }

  /**
   * The present state of the port.
   *
   * @throws MachineException if the device has no such port
   */
  public PortState port(int port) {
    checkPort(port);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment a = arena.allocate(ControlPathLayouts.PORT_ATTR);
      library.check(
          VerbsFunction.QUERY_PORT, "device=" + name + ", port=" + port, pointer(), (byte) port, a);
      return new PortState(
          port,
          a.get(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.PORT_ATTR, "state"))
              == VerbsConstants.PORT_ACTIVE,
          a.get(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.PORT_ATTR, "active_mtu")),
          Integer.toUnsignedLong(
              a.get(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.PORT_ATTR, "max_msg_sz"))),
          Short.toUnsignedInt(
              a.get(JAVA_SHORT, ControlPathLayouts.at(ControlPathLayouts.PORT_ATTR, "lid"))),
          a.get(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.PORT_ATTR, "gid_tbl_len")),
          a.get(JAVA_BYTE, ControlPathLayouts.at(ControlPathLayouts.PORT_ATTR, "link_layer"))
              == VerbsConstants.LINK_LAYER_ETHERNET);
    }
  }

  private void checkPort(int port) {
    int ports = limits().ports();
    if (port < 1 || port > ports) {
      throw new MachineException(
          "no such port: device=%s, port=%d, ports=%d; use 1 to %d"
              .formatted(name, port, ports, ports));
    }
  }

  /** The port's addresses that are in use, read by one call: a table may have a thousand places. */
  public List<Gid> gids(int port) {
    checkPort(port);
    // The count is the device's: its library refuses room for fewer addresses than all its ports
    // may have.
    long room = 0;
    for (int each = 1; each <= limits().ports(); each++) {
      room += port(each).gids();
    }
    long size = ControlPathLayouts.GID_ENTRY.byteSize();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment entries = arena.allocate(ControlPathLayouts.GID_ENTRY, room);
      long found =
          (long) library.call(VerbsFunction.QUERY_GIDS, pointer(), entries, room, 0, size).value();
      if (found < 0) {
        throw ControlPathCalls.refusal(
            VerbsFunction.QUERY_GIDS, (int) found, "device=" + name + ", port=" + port);
      }
      return entries
          .asSlice(0, found * size)
          .elements(ControlPathLayouts.GID_ENTRY)
          .filter(e ->
              e.get(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.GID_ENTRY, "port_num"))
                  == port)
          .map(DeviceContext::gid)
          .toList();
    }
  }

  private static Gid gid(MemorySegment entry) {
    return Gid.of(
        entry.get(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.GID_ENTRY, "gid_index")),
        entry.asSlice(0, Gid.BYTES).toArray(JAVA_BYTE),
        entry.get(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.GID_ENTRY, "gid_type"))
            == VerbsConstants.GID_TYPE_ROCE_V2);
  }

  /** A protection domain, in which memory and queue pairs can be used together. */
  public ProtectionDomain domain() {
    return new ProtectionDomain(
        library, this, library.make(VerbsFunction.ALLOC_PD, "device=" + name, pointer()));
  }

  /** A channel that wakes a thread waiting for completions. */
  public CompletionChannel channel() {
    return new CompletionChannel(
        library, this, library.make(VerbsFunction.CREATE_CHANNEL, "device=" + name, pointer()));
  }

  /** A queue for that many completions, to be polled. */
  public CompletionQueue completions(int entries) {
    return completions(entries, MemorySegment.NULL);
  }

  /** A queue for that many completions, which can also be waited for on the channel. */
  public CompletionQueue completions(int entries, CompletionChannel channel) {
    return completions(entries, channel.pointer(), channel);
  }

  private CompletionQueue completions(int entries, MemorySegment channel, NativeHandle... parents) {
    int most = limits().completions();
    if (entries < 1 || entries > most) {
      throw new MachineException(
          "completion queue of another length: device=%s, entries=%d, max=%d; use 1 to %d"
              .formatted(name, entries, most, most));
    }
    MemorySegment made =
        library.make(
            VerbsFunction.CREATE_CQ,
            "device=" + name + ", entries=" + entries,
            pointer(),
            entries,
            MemorySegment.NULL,
            channel,
            0);
    return new CompletionQueue(library, this, made, entries, parents);
  }

  /** The next event that concerns the device itself, if one comes in time. */
  public Optional<AsyncEvent> event(Duration time) {
    int file =
        pointer().get(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.CONTEXT, "async_fd"));
    if (!ControlPathCalls.readable(file, time)) {
      return Optional.empty();
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment e = arena.allocate(ControlPathLayouts.ASYNC_EVENT);
      library.check(VerbsFunction.GET_ASYNC_EVENT, "device=" + name, pointer(), e);
      AsyncEvent event = event(e);
      library.call(VerbsFunction.ACK_ASYNC_EVENT, e);
      return Optional.of(event);
    }
  }

  /**
   * Described before it is acknowledged: until then the queue pair that it names is not destroyed.
   */
  @SuppressWarnings("restricted")
  private static AsyncEvent event(MemorySegment e) {
    int code = e.get(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.ASYNC_EVENT, "event_type"));
    long element = ControlPathLayouts.at(ControlPathLayouts.ASYNC_EVENT, "element");
    return switch (AsyncEvent.subject(code)) {
      case PORT -> new AsyncEvent(code, e.get(JAVA_INT, element));
      case QUEUE_PAIR ->
          new AsyncEvent(
              code,
              e.get(ADDRESS, element)
                  .reinterpret(ControlPathLayouts.QP.byteSize())
                  .get(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.QP, "qp_num")));
      case OTHER -> new AsyncEvent(code, 0);
    };
  }

  HotPathCalls operations() {
    return operations;
  }

  @Override
  void destroy() {
    library.check(VerbsFunction.CLOSE_DEVICE, "device=" + name, remains());
  }

  /** A pointer of the struct, which must not be null. */
  static MemorySegment pointerAt(MemorySegment struct, long offset, String what) {
    MemorySegment pointer = struct.get(ADDRESS, offset);
    if (pointer.address() == 0) {
      throw MachineException.lacking(
          "device lacks an operation: operation=" + what + "; use another device");
    }
    return pointer;
  }
}
