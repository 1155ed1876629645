package dev.oriel.ibverbs.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A verbs library in Java. Every function is an upcall stub: the adapter's own handles, layouts and
 * pointers are used as with a device. Its device executes requests when they are posted.
 */
@SuppressWarnings({"restricted", "unused"})
public final class FakeVerbs {
  /** The most registrations at once. */
  static final int MAX_REGISTRATIONS = 200;

  /** The bounds of a process's addresses. */
  private static final long FIRST_ADDRESS = 1 << 12;

  private static final long LAST_ADDRESS = 1L << 47;

  static final int MAX_QUEUE_DEPTH = 1024;
  static final String NAME = "fake0";

  /** The offset of the channel in the stand-in for a completion queue. */
  private static final long CHANNEL_OF_QUEUE = 64;

  private final Arena arena = Arena.ofShared();
  private final Map<String, MemorySegment> symbols = new HashMap<>();
  private final MemorySegment context = arena.allocate(ControlPathLayouts.CONTEXT);
  private final MemorySegment device = arena.allocate(8);
  private final FakeEngine engine = new FakeEngine();
  final FakeDirect direct = new FakeDirect(arena, engine);
  private final Map<Integer, Long> files = new HashMap<>();

  /** The number of live native objects of each kind. */
  private final Map<String, Integer> live = Collections.synchronizedMap(new TreeMap<>());

  /** The number of objects that use a domain or a completion queue. */
  private final Map<Long, Integer> children = Collections.synchronizedMap(new TreeMap<>());

  /** The completion queues' targets of notifications, by channel. */
  private final Map<Long, Channel> channels = Collections.synchronizedMap(new TreeMap<>());

  /** Queue pairs, by number. */
  private final Map<Integer, MemorySegment> pairs = Collections.synchronizedMap(new TreeMap<>());

  /** Events that were not read yet. */
  private final Deque<AsyncEvent> events = new ArrayDeque<>();

  private @Nullable FakePipe happened;
  private int unacknowledged;

  private int fail;
  private int before;
  private String failing = "";
  private boolean empty;
  private int atomics = 1;
  private ObjIntConsumer<MemorySegment> watcher = (block, pair) -> {};

  private record Channel(FakePipe pipe, Deque<Long> notified) {}

  public FakeVerbs() {
    // No thread can sleep on a handle that is no file.
    context.set(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.CONTEXT, "async_fd"), -1);
    for (VerbsFunction call : VerbsFunction.values()) {
      symbols.put(call.symbol(), stub(call.symbol(), call.type()));
    }
    pointer("poll_cq", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS));
    pointer("req_notify_cq", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    FunctionDescriptor post = FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS);
    pointer("post_send", post);
    pointer("post_recv", post);
    context.set(JAVA_LONG, ControlPathLayouts.at(ControlPathLayouts.CONTEXT, "abi_compat"), -1L);
  }

  /** The devices that this library has. */
  public DeviceList devices() {
    return new DeviceList(library());
  }

  private ControlPathCalls library() {
    return new ControlPathCalls(name -> Optional.ofNullable(symbols.get(name)), "fake");
  }

  /** The calls that describe the memory of its queues. */
  public DirectLibrary direct() {
    return new DirectLibrary(library());
  }

  /** Executes elements in its queues in memory; returns whether there were any. */
  public boolean pump() {
    return direct.pump();
  }

  /** The contents at that address, in memory of its device. */
  public static ByteBuffer at(long address, long bytes) {
    return MemorySegment.ofAddress(address)
        .reinterpret(bytes)
        .asByteBuffer()
        .order(ByteOrder.nativeOrder());
  }

  /** The next queues in memory have so many slots. */
  public void slotsOfQueues(int slots) {
    direct.slots = slots;
  }

  /** The next queues in memory have blocks of so many bytes. */
  public void strideOfQueues(int bytes) {
    direct.stride = bytes;
  }

  /** The next completion queues have room for so many. */
  public void roomOfCompletions(int entries) {
    direct.entries = entries;
  }

  /** Its device accesses such memory through that file. */
  public void file(int number, long address) {
    files.put(number, address);
  }

  /** The only device, open. */
  public DeviceContext open() {
    return devices().open(NAME);
  }

  /** The live native objects; empty once everything was destroyed. */
  public Map<String, Integer> live() {
    Map<String, Integer> now = new TreeMap<>(live);
    now.values().removeIf(count -> count == 0);
    return now;
  }

  /** The next call of that function returns this error. */
  public void failNext(String symbol, int errno) {
    failAfter(symbol, 0, errno);
  }

  /** So many calls of that function succeed, and the next one returns this error. */
  public void failAfter(String symbol, int calls, int errno) {
    failing = symbol;
    before = calls;
    fail = errno;
  }

  void forget(String symbol) {
    symbols.remove(symbol);
  }

  void hideDevices() {
    empty = true;
  }

  void ageLibrary() {
    context.set(JAVA_LONG, ControlPathLayouts.at(ControlPathLayouts.CONTEXT, "abi_compat"), 0L);
  }

  /** Passes each later posted request on, with the number of its queue pair. */
  public void watch(ObjIntConsumer<MemorySegment> posted) {
    watcher = posted;
  }

  /**
   * The owner's key for the memory of a remote key: another number, and thus swapped keys are
   * detected.
   */
  public int localKey(int remoteKey) {
    return remoteKey ^ FakeEngine.UNLIKE;
  }

  /**
   * A write is reported before it is placed; it is placed before the next request of its queue
   * pair.
   */
  public void late() {
    engine.late = true;
  }

  /** Atomics pause between load and store; only other requests leave the word alone meanwhile. */
  public void slowAtomics() {
    engine.slow = true;
  }

  /** The number of atomics that the device has executed. */
  public int atomics() {
    synchronized (engine) {
      return engine.atomics;
    }
  }

  /** The device has no atomics. */
  public void withoutAtomics() {
    atomics = 0;
  }

  /** Later requests neither complete nor fail until the device is resumed. */
  public void stall() {
    engine.stall();
  }

  /** Executes the requests posted meanwhile. */
  public void resume() {
    engine.resume();
  }

  /** From now on no request arrives. */
  public void cut() {
    engine.cut = true;
  }

  /** The link works again. */
  public void mend() {
    engine.cut = false;
  }

  /** Raises an event for the port or the queue pair of that number. */
  synchronized void happens(int code, int of) {
    if (happened == null) {
      happened = new FakePipe();
      context.set(
          JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.CONTEXT, "async_fd"), happened.file());
    }
    events.add(new AsyncEvent(code, of));
    happened.signal();
  }

  /** Events that were read and not acknowledged; destroying their object would block. */
  int unacknowledged() {
    return unacknowledged;
  }

  private void pointer(String name, FunctionDescriptor type) {
    context.set(
        ADDRESS, ControlPathLayouts.at(ControlPathLayouts.CONTEXT, "ops", name), stub(name, type));
  }

  private MemorySegment stub(String name, FunctionDescriptor type) {
    Method method =
        Arrays.stream(FakeVerbs.class.getDeclaredMethods())
            .filter(m -> m.getName().equals(name))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no fake of " + name));
    try {
      return Linker.nativeLinker()
          .upcallStub(MethodHandles.lookup().unreflect(method).bindTo(this), type, arena);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  private synchronized boolean fails(String symbol) {
    if (failing.equals(symbol) && before-- == 0) {
      failing = "";
      return true;
    }
    return false;
  }

  private MemorySegment made(String kind, MemorySegment object) {
    live.merge(kind, 1, Integer::sum);
    return object;
  }

  private int gone(String kind) {
    live.merge(kind, -1, Integer::sum);
    return 0;
  }

  // The exported functions.

  MemorySegment ibv_get_device_list(MemorySegment count) {
    count.reinterpret(4).set(JAVA_INT, 0, empty ? 0 : 1);
    MemorySegment list = arena.allocate(ADDRESS, 2);
    list.set(ADDRESS, 0, device);
    return made("device list", list);
  }

  void ibv_free_device_list(MemorySegment list) {
    gone("device list");
  }

  MemorySegment ibv_get_device_name(MemorySegment of) {
    return arena.allocateFrom(NAME + "\0" + "x".repeat(64));
  }

  MemorySegment ibv_open_device(MemorySegment of) {
    return fails("ibv_open_device") ? MemorySegment.NULL : made("device", context);
  }

  synchronized int ibv_close_device(MemorySegment of) {
    if (happened != null) {
      happened.close();
      happened = null;
      context.set(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.CONTEXT, "async_fd"), -1);
    }
    return gone("device");
  }

  int ibv_query_device(MemorySegment of, MemorySegment into) {
    MemorySegment a = into.reinterpret(ControlPathLayouts.DEVICE_ATTR.byteSize());
    a.set(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.DEVICE_ATTR, "max_qp"), 1000);
    a.set(
        JAVA_INT,
        ControlPathLayouts.at(ControlPathLayouts.DEVICE_ATTR, "max_qp_wr"),
        MAX_QUEUE_DEPTH);
    a.set(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.DEVICE_ATTR, "max_cqe"), 1 << 16);
    a.set(
        JAVA_INT,
        ControlPathLayouts.at(ControlPathLayouts.DEVICE_ATTR, "max_mr"),
        MAX_REGISTRATIONS);
    a.set(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.DEVICE_ATTR, "max_qp_rd_atom"), 128);
    a.set(
        JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.DEVICE_ATTR, "max_qp_init_rd_atom"), 16);
    a.set(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.DEVICE_ATTR, "atomic_cap"), atomics);
    a.set(
        JAVA_BYTE,
        ControlPathLayouts.at(ControlPathLayouts.DEVICE_ATTR, "phys_port_cnt"),
        (byte) 1);
    return 0;
  }

  int ibv_query_port(MemorySegment of, byte port, MemorySegment into) {
    MemorySegment a = into.reinterpret(ControlPathLayouts.PORT_ATTR.byteSize());
    a.set(
        JAVA_INT,
        ControlPathLayouts.at(ControlPathLayouts.PORT_ATTR, "state"),
        engine.cut ? 1 : VerbsConstants.PORT_ACTIVE);
    a.set(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.PORT_ATTR, "active_mtu"), 5);
    a.set(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.PORT_ATTR, "gid_tbl_len"), 3);
    a.set(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.PORT_ATTR, "max_msg_sz"), 1 << 30);
    a.set(
        JAVA_BYTE,
        ControlPathLayouts.at(ControlPathLayouts.PORT_ATTR, "link_layer"),
        (byte) VerbsConstants.LINK_LAYER_ETHERNET);
    return 0;
  }

  /** The last one is of another port. */
  long _ibv_query_gid_table(MemorySegment of, MemorySegment into, long most, int flags, long size) {
    MemorySegment all = into.reinterpret(most * size).fill((byte) 0);
    for (int i = 0; i < 3; i++) {
      MemorySegment e = all.asSlice(i * size, size);
      e.set(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.GID_ENTRY, "gid_index"), i);
      e.set(
          JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.GID_ENTRY, "port_num"), i < 2 ? 1 : 2);
      e.set(
          JAVA_INT,
          ControlPathLayouts.at(ControlPathLayouts.GID_ENTRY, "gid_type"),
          i == 1 ? 2 : 1);
      e.set(JAVA_BYTE, 10, (byte) -1);
      e.set(JAVA_BYTE, 11, (byte) -1);
      e.set(JAVA_BYTE, 12, (byte) 10);
    }
    return 3;
  }

  MemorySegment ibv_alloc_pd(MemorySegment of) {
    return made("domain", arena.allocate(16));
  }

  int ibv_dealloc_pd(MemorySegment of) {
    return children.getOrDefault(of.address(), 0) > 0 ? Errno.EBUSY : gone("domain");
  }

  private void child(MemorySegment object, int more, String field, StructLayout layout) {
    long parent =
        object.reinterpret(layout.byteSize()).get(JAVA_LONG, ControlPathLayouts.at(layout, field));
    children.merge(parent, more, Integer::sum);
  }

  MemorySegment ibv_reg_mr(MemorySegment domain, MemorySegment at, long bytes, int access) {
    return registered("ibv_reg_mr", domain, at.address(), at.address(), bytes, access);
  }

  MemorySegment ibv_reg_mr_iova(
      MemorySegment domain, MemorySegment at, long bytes, long named, int access) {
    return registered("ibv_reg_mr_iova", domain, named, at.address(), bytes, access);
  }

  MemorySegment ibv_reg_mr_iova2(
      MemorySegment domain, MemorySegment at, long bytes, long named, int access) {
    return registered("ibv_reg_mr_iova2", domain, named, at.address(), bytes, access);
  }

  MemorySegment ibv_reg_dmabuf_mr(
      MemorySegment domain, long offset, long bytes, long named, int file, int access) {
    Long address = files.get(file);
    return address == null
        ? MemorySegment.NULL
        : registered("ibv_reg_dmabuf_mr", domain, named, address + offset, bytes, access);
  }

  private MemorySegment registered(
      String call, MemorySegment domain, long named, long at, long bytes, int access) {
    boolean there = at >= FIRST_ADDRESS && at <= LAST_ADDRESS - bytes;
    if (fails(call) || !there || live.getOrDefault("registration", 0) >= MAX_REGISTRATIONS) {
      return MemorySegment.NULL;
    }
    MemorySegment region = arena.allocate(ControlPathLayouts.MR);
    int key = engine.register(named, at, bytes, access);
    region.set(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.MR, "lkey"), localKey(key));
    region.set(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.MR, "rkey"), key);
    region.set(ADDRESS, ControlPathLayouts.at(ControlPathLayouts.MR, "pd"), domain);
    child(region, 1, "pd", ControlPathLayouts.MR);
    return made("registration", region);
  }

  int mlx5dv_init_obj(MemorySegment object, long type) {
    if (fails("mlx5dv_init_obj")) {
      return fail;
    }
    return type == DirectLayouts.QP_AND_CQ ? direct.init(object) : Errno.EINVAL;
  }

  int ibv_dereg_mr(MemorySegment region) {
    engine.deregister(
        region
            .reinterpret(ControlPathLayouts.MR.byteSize())
            .get(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.MR, "rkey")));
    child(region, -1, "pd", ControlPathLayouts.MR);
    return gone("registration");
  }

  MemorySegment ibv_create_comp_channel(MemorySegment of) {
    MemorySegment channel = arena.allocate(ControlPathLayouts.CHANNEL);
    FakePipe pipe = new FakePipe();
    channel.set(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.CHANNEL, "fd"), pipe.file());
    channels.put(channel.address(), new Channel(pipe, new ArrayDeque<>()));
    return made("channel", channel);
  }

  private Channel channel(MemorySegment of) {
    return Objects.requireNonNull(channels.get(of.address()), "no such channel");
  }

  int ibv_destroy_comp_channel(MemorySegment of) {
    if (children.getOrDefault(of.address(), 0) > 0) {
      return Errno.EBUSY;
    }
    channel(of).pipe().close();
    channels.remove(of.address());
    return gone("channel");
  }

  MemorySegment ibv_create_cq(
      MemorySegment of, int entries, MemorySegment user, MemorySegment channel, int vector) {
    MemorySegment queue = arena.allocate(128);
    queue.set(ADDRESS, CHANNEL_OF_QUEUE, channel);
    engine.addQueue(queue.address(), entries, () -> notifyChannel(channel, queue.address()));
    if (channel.address() != 0) {
      children.merge(channel.address(), 1, Integer::sum);
    }
    return made("completion queue", queue);
  }

  private void notifyChannel(MemorySegment of, long queue) {
    if (of.address() != 0) {
      Channel channel = channel(of);
      synchronized (channel.notified()) {
        channel.notified().add(queue);
      }
      channel.pipe().signal();
    }
  }

  int ibv_destroy_cq(MemorySegment of) {
    if (children.getOrDefault(of.address(), 0) > 0) {
      return Errno.EBUSY;
    }
    long channel = of.reinterpret(128).get(ADDRESS, CHANNEL_OF_QUEUE).address();
    children.computeIfPresent(channel, (_, count) -> count - 1);
    return gone("completion queue");
  }

  int ibv_get_cq_event(MemorySegment of, MemorySegment queue, MemorySegment user) {
    Channel channel = channel(of);
    channel.pipe().take();
    synchronized (channel.notified()) {
      queue.reinterpret(ADDRESS.byteSize()).set(JAVA_LONG, 0, channel.notified().remove());
    }
    unacknowledged++;
    return 0;
  }

  void ibv_ack_cq_events(MemorySegment queue, int count) {
    unacknowledged -= count;
  }

  MemorySegment ibv_create_qp(MemorySegment domain, MemorySegment attributes) {
    if (fails("ibv_create_qp")) {
      return MemorySegment.NULL;
    }
    MemorySegment pair = arena.allocate(ControlPathLayouts.QP);
    int number =
        engine.addPair(
            pair.address(), attributes.reinterpret(ControlPathLayouts.QP_INIT_ATTR.byteSize()));
    pair.set(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.QP, "qp_num"), number);
    pairs.put(number, pair);
    pair.set(ADDRESS, ControlPathLayouts.at(ControlPathLayouts.QP, "pd"), domain);
    pair.set(
        ADDRESS,
        ControlPathLayouts.at(ControlPathLayouts.QP, "send_cq"),
        attributes
            .reinterpret(ControlPathLayouts.QP_INIT_ATTR.byteSize())
            .get(ADDRESS, ControlPathLayouts.at(ControlPathLayouts.QP_INIT_ATTR, "send_cq")));
    child(pair, 1, "pd", ControlPathLayouts.QP);
    child(pair, 1, "send_cq", ControlPathLayouts.QP);
    return made("queue pair", pair);
  }

  int ibv_modify_qp(MemorySegment pair, MemorySegment attributes, int mask) {
    if (fails("ibv_modify_qp")) {
      return fail;
    }
    return engine.modify(
        pair.address(), attributes.reinterpret(ControlPathLayouts.QP_ATTR.byteSize()), mask);
  }

  int ibv_destroy_qp(MemorySegment pair) {
    if (fails("ibv_destroy_qp")) {
      return fail;
    }
    engine.removePair(pair.address());
    direct.remove(pair.address());
    child(pair, -1, "pd", ControlPathLayouts.QP);
    child(pair, -1, "send_cq", ControlPathLayouts.QP);
    return gone("queue pair");
  }

  synchronized int ibv_get_async_event(MemorySegment of, MemorySegment into) {
    AsyncEvent next = events.remove();
    Objects.requireNonNull(happened).take();
    MemorySegment event = into.reinterpret(ControlPathLayouts.ASYNC_EVENT.byteSize());
    event.set(
        JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.ASYNC_EVENT, "event_type"), next.code());
    long element = ControlPathLayouts.at(ControlPathLayouts.ASYNC_EVENT, "element");
    switch (AsyncEvent.subject(next.code())) {
      case PORT -> event.set(JAVA_INT, element, next.of());
      case QUEUE_PAIR -> event.set(ADDRESS, element, Objects.requireNonNull(pairs.get(next.of())));
      // Not a pointer: any use of it as one fails.
      case OTHER -> event.set(JAVA_LONG, element, 1);
    }
    unacknowledged++;
    return 0;
  }

  void ibv_ack_async_event(MemorySegment event) {
    unacknowledged--;
  }

  // The operations of the context.

  int poll_cq(MemorySegment queue, int most, MemorySegment into) {
    if (fails("poll_cq")) {
      return -fail;
    }
    return engine.poll(
        queue.address(), most, into.reinterpret(most * ControlPathLayouts.WC.byteSize()));
  }

  int req_notify_cq(MemorySegment queue, int solicited) {
    engine.arm(queue.address());
    return 0;
  }

  int post_send(MemorySegment pair, MemorySegment request, MemorySegment bad) {
    if (fails("post_send")) {
      return fail;
    }
    MemorySegment block = request.reinterpret(SendRequests.STRIDE);
    watcher.accept(block, engine.number(pair.address()));
    return engine.send(pair.address(), SendDecoder.decode(block));
  }

  int post_recv(MemorySegment pair, MemorySegment request, MemorySegment bad) {
    MemorySegment wr = request.reinterpret(ControlPathLayouts.RECV_WR.byteSize());
    MemorySegment sge =
        wr.get(ADDRESS, ControlPathLayouts.at(ControlPathLayouts.RECV_WR, "sg_list"))
            .reinterpret(SgeLayout.SIZE);
    return engine.receive(
        pair.address(),
        wr.get(JAVA_LONG, 0),
        sge.get(JAVA_LONG, SgeLayout.ADDR),
        sge.get(JAVA_INT, SgeLayout.LENGTH),
        sge.get(JAVA_INT, SgeLayout.LKEY));
  }
}
