package dev.oriel.ibverbs.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ibverbs.post.WorkRequest.Local;
import dev.oriel.ibverbs.post.WorkRequest.Remote;
import dev.oriel.ports.MachineException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The fake device's engine: checks keys, moves bytes, bounds queue depths, reports completions. */
@SuppressWarnings("restricted")
final class FakeEngine {
  private static final int SUCCESS = 0;
  private static final int LOCAL_QUEUE_PAIR = 2;
  private static final int LOCAL_PROTECTION = 4;
  private static final int FLUSHED = 5;
  private static final int REMOTE_INVALID = 9;
  private static final int REMOTE_ACCESS = 10;
  private static final int RETRIES = 12;
  private static final int NOT_READY = 13;
  private static final int FOR_EVER = 7;

  private record Registered(long address, long there, long bytes, int access) {
    boolean holds(long at, long length) {
      return at >= address && length <= bytes && at - address <= bytes - length;
    }
  }

  private record Entry(
      long id, int status, int opcode, int bytes, int pair, int flags, int immediate) {}

  /** A completion queue; a channel that armed it is notified of the next entry, once. */
  private static final class Entries extends ArrayDeque<Entry> {
    private static final long serialVersionUID = 1;
    private final transient Runnable notify;
    private boolean armed;

    Entries(int entries, Runnable notify) {
      super(entries);
      this.notify = notify;
    }

    @Override
    public boolean add(Entry entry) {
      boolean added = super.add(entry);
      if (armed) {
        armed = false;
        notify.run();
      }
      return added;
    }
  }

  private record Receive(long id, long address, int bytes, int key) {}

  private static final class Pair {
    final int number;
    final int depth;
    final int receives;
    final Deque<Entry> sent;
    final Deque<Entry> received;
    final Deque<Receive> posted = new ArrayDeque<>();

    /** Requests that wait for a receive of the peer's, and those posted after them. */
    final Deque<WorkRequest> waiting = new ArrayDeque<>();

    int state;
    int peer;

    /** Whether it retries for ever while its peer has posted no receive. */
    boolean patient;

    /**
     * Requests posted and not known to have ended; a polled completion frees its own and earlier
     * ones.
     */
    int outstanding;

    int unreported;

    /** Places the last write, if it was reported before it was placed. */
    Runnable late = FakeEngine::nothing;

    Pair(int number, int depth, int receives, Deque<Entry> sent, Deque<Entry> received) {
      this.number = number;
      this.depth = depth;
      this.receives = receives;
      this.sent = sent;
      this.received = received;
    }
  }

  boolean cut;
  boolean late;
  boolean slow;

  /** The bit that differs between a region's local and its remote key. */
  static final int UNLIKE = 1 << 30;

  /** The number of atomics executed. */
  int atomics;

  /** Requests posted since the device stalled, in order. */
  private final Deque<Runnable> held = new ArrayDeque<>();

  private boolean still;

  private final Map<Integer, Registered> regions = new HashMap<>();
  private final Map<Long, Entries> queues = new HashMap<>();
  private final IdentityHashMap<Deque<Entry>, Map<Entry, Integer>> frees = new IdentityHashMap<>();
  private final Map<Long, Pair> pairs = new HashMap<>();
  private final Map<Integer, Pair> numbers = new HashMap<>();
  private int next = 0x100;

  private Pair pair(long at) {
    return Objects.requireNonNull(pairs.get(at), "no such queue pair");
  }

  private Entries queue(long at) {
    return Objects.requireNonNull(queues.get(at), "no such completion queue");
  }

  /** The number of requests that each reported completion of that queue frees. */
  private Map<Entry, Integer> pairFrees(Deque<Entry> entries) {
    return frees.computeIfAbsent(entries, _ -> new HashMap<>());
  }

  synchronized int register(long address, long there, long bytes, int access) {
    next += 0x101;
    regions.put(next, new Registered(address, there, bytes, access));
    return next;
  }

  synchronized void deregister(int key) {
    regions.remove(key);
  }

  synchronized void addQueue(long queue, int entries, Runnable notify) {
    queues.put(queue, new Entries(entries, notify));
  }

  synchronized void arm(long queue) {
    queue(queue).armed = true;
  }

  synchronized int addPair(long pair, MemorySegment a) {
    Deque<Entry> sent =
        queue(
            a.get(ADDRESS, ControlPathLayouts.at(ControlPathLayouts.QP_INIT_ATTR, "send_cq"))
                .address());
    Deque<Entry> received =
        queue(
            a.get(ADDRESS, ControlPathLayouts.at(ControlPathLayouts.QP_INIT_ATTR, "recv_cq"))
                .address());
    Pair made =
        new Pair(
            ++next,
            a.get(
                JAVA_INT,
                ControlPathLayouts.at(ControlPathLayouts.QP_INIT_ATTR, "cap", "max_send_wr")),
            a.get(
                JAVA_INT,
                ControlPathLayouts.at(ControlPathLayouts.QP_INIT_ATTR, "cap", "max_recv_wr")),
            sent,
            received);
    pairs.put(pair, made);
    numbers.put(made.number, made);
    return made.number;
  }

  synchronized void removePair(long pair) {
    numbers.remove(pair(pair).number);
    pairs.remove(pair);
  }

  synchronized int modify(long at, MemorySegment a, int mask) {
    Pair pair = pair(at);
    int to = a.get(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.QP_ATTR, "qp_state"));
    boolean legal =
        switch (to) {
          case VerbsConstants.QPS_INIT ->
              pair.state == VerbsConstants.QPS_RESET && mask == VerbsConstants.TO_INIT;
          case VerbsConstants.QPS_RTR ->
              pair.state == VerbsConstants.QPS_INIT && mask == VerbsConstants.TO_RTR;
          case VerbsConstants.QPS_RTS ->
              pair.state == VerbsConstants.QPS_RTR && mask == VerbsConstants.TO_RTS;
          default -> mask == VerbsConstants.QP_STATE;
        };
    if (!legal) {
      return Errno.EINVAL;
    }
    if (to == VerbsConstants.QPS_INIT) {
      if (a.get(JAVA_BYTE, ControlPathLayouts.at(ControlPathLayouts.QP_ATTR, "port_num")) != 1) {
        return Errno.EINVAL;
      }
    }
    if (to == VerbsConstants.QPS_RTR) {
      pair.peer = a.get(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.QP_ATTR, "dest_qp_num"));
    }
    if (to == VerbsConstants.QPS_RTS) {
      pair.patient =
          a.get(JAVA_BYTE, ControlPathLayouts.at(ControlPathLayouts.QP_ATTR, "rnr_retry"))
              == FOR_EVER;
    }
    if (to == VerbsConstants.QPS_RESET) {
      pair.waiting.clear();
      pair.posted.clear();
      pair.outstanding = 0;
      pair.unreported = 0;
    }
    if (to == VerbsConstants.QPS_ERR) {
      flushReceives(pair);
    }
    pair.state = to;
    goOn(pair);
    return 0;
  }

  private void flushReceives(Pair pair) {
    pair.posted.forEach(r ->
        pair.received.add(
            new Entry(r.id(), FLUSHED, VerbsConstants.WC_RECV, 0, pair.number, 0, 0)));
    pair.posted.clear();
  }

  synchronized int poll(long queue, int most, MemorySegment into) {
    Deque<Entry> entries = queue(queue);
    int count = 0;
    while (count < most && !entries.isEmpty()) {
      Entry e = entries.poll();
      long at = count++ * ControlPathLayouts.WC.byteSize();
      into.set(JAVA_LONG, at, e.id());
      set(into, at, "status", e.status());
      set(into, at, "opcode", e.opcode());
      set(into, at, "byte_len", e.bytes());
      set(into, at, "qp_num", e.pair());
      set(into, at, "wc_flags", e.flags());
      set(into, at, "imm_data", Integer.reverseBytes(e.immediate()));
      Integer freed = pairFrees(entries).remove(e);
      Pair pair = numbers.get(e.pair());
      if (freed != null && pair != null) {
        pair.outstanding -= freed;
      }
    }
    return count;
  }

  private static void set(MemorySegment into, long at, String field, int value) {
    into.set(JAVA_INT, at + ControlPathLayouts.at(ControlPathLayouts.WC, field), value);
  }

  synchronized int send(long at, WorkRequest work) {
    Pair pair = pair(at);
    if (pair.state != VerbsConstants.QPS_RTS && pair.state != VerbsConstants.QPS_ERR) {
      return Errno.EINVAL;
    }
    if (pair.outstanding >= pair.depth) {
      return Errno.ENOMEM;
    }
    pair.outstanding++;
    if (still) {
      held.add(() -> execute(pair, work));
    } else {
      execute(pair, work);
    }
    return 0;
  }

  synchronized void stall() {
    still = true;
  }

  synchronized void resume() {
    still = false;
    held.forEach(Runnable::run);
    held.clear();
  }

  private void execute(Pair pair, WorkRequest work) {
    pair.waiting.add(work);
    goOn(pair);
  }

  private void goOn(Pair pair) {
    while (!pair.waiting.isEmpty() && !awaitsReceive(pair, pair.waiting.element())) {
      finish(pair, pair.waiting.remove());
    }
  }

  private boolean awaitsReceive(Pair pair, WorkRequest work) {
    Pair peer = numbers.get(pair.peer);
    return (work instanceof WorkRequest.Send || work instanceof WorkRequest.WriteImmediate)
        && pair.patient
        && pair.state == VerbsConstants.QPS_RTS
        && !cut
        && peer != null
        && peer.state == VerbsConstants.QPS_RTS
        && peer.posted.isEmpty();
  }

  private void finish(Pair pair, WorkRequest work) {
    pair.unreported++;
    int status =
        pair.state == VerbsConstants.QPS_ERR ? FLUSHED : cut ? RETRIES : carryOut(pair, work);
    if (status != SUCCESS && pair.state != VerbsConstants.QPS_ERR) {
      pair.state = VerbsConstants.QPS_ERR;
      flushReceives(pair);
    }
    if (work.signalled() || status != SUCCESS) {
      Entry entry = new Entry(work.id(), status, 0, 0, pair.number, 0, 0);
      pair.sent.add(entry);
      pairFrees(pair.sent).put(entry, pair.unreported);
      pair.unreported = 0;
    }
  }

  /** Executes a request from a queue in memory; returns its status. */
  synchronized int perform(long at, Supplier<WorkRequest> read) {
    Pair pair = pair(at);
    if (pair.state != VerbsConstants.QPS_RTS) {
      return FLUSHED;
    }
    int status;
    try {
      status = carryOut(pair, read.get());
    } catch (MachineException e) {
      status = LOCAL_QUEUE_PAIR;
    }
    pair.state = status == SUCCESS ? pair.state : VerbsConstants.QPS_ERR;
    return status;
  }

  synchronized int number(long at) {
    return pair(at).number;
  }

  synchronized int receive(long at, long id, long address, int bytes, int key) {
    Pair pair = pair(at);
    if (pair.posted.size() >= pair.receives) {
      return Errno.ENOMEM;
    }
    pair.posted.add(new Receive(id, address, bytes, key));
    Pair peer = numbers.get(pair.peer);
    if (peer != null && peer.peer == pair.number) {
      goOn(peer);
    }
    return 0;
  }

  private static void nothing() {}

  private int carryOut(Pair pair, WorkRequest work) {
    Pair peer = numbers.get(pair.peer);
    if (peer == null || peer.state != VerbsConstants.QPS_RTS || peer.peer != pair.number) {
      return RETRIES;
    }
    boolean empty = work instanceof WorkRequest.Write w && w.local().bytes() == 0;
    if (!empty) {
      pair.late.run();
      pair.late = FakeEngine::nothing;
    }
    return switch (work) {
      case WorkRequest.Write w -> late ? writeLate(pair, w) : write(w.local(), w.remote());
      case WorkRequest.Read r ->
          local(r.local(), 1) == null && r.local().bytes() > 0
              ? LOCAL_PROTECTION
              : copy(r.remote(), r.local());
      case WorkRequest.WriteWord w -> {
        MemorySegment there = remote(w.remote(), Long.BYTES, 2);
        if (there == null) {
          yield REMOTE_ACCESS;
        }
        there.set(JAVA_LONG.withByteAlignment(1), 0, w.value());
        yield SUCCESS;
      }
      case WorkRequest.WriteImmediate w -> {
        Receive taken = peer.posted.poll();
        if (taken == null) {
          yield NOT_READY;
        }
        int status = write(w.local(), w.remote());
        peer.received.add(
            new Entry(
                taken.id(),
                status == SUCCESS ? SUCCESS : FLUSHED,
                VerbsConstants.WC_RECV_RDMA_WITH_IMM,
                (int) w.local().bytes(),
                peer.number,
                VerbsConstants.WC_WITH_IMM,
                w.immediate()));
        yield status;
      }
      case WorkRequest.Send s -> {
        Receive taken = peer.posted.poll();
        if (taken == null) {
          yield NOT_READY;
        }
        MemorySegment from = local(s.local(), 0);
        if (from == null) {
          yield LOCAL_PROTECTION;
        }
        if (taken.bytes() < from.byteSize()) {
          yield REMOTE_INVALID;
        }
        MemorySegment.ofAddress(taken.address()).reinterpret(taken.bytes()).copyFrom(from);
        peer.received.add(
            new Entry(
                taken.id(),
                SUCCESS,
                VerbsConstants.WC_RECV,
                (int) from.byteSize(),
                peer.number,
                0,
                0));
        yield SUCCESS;
      }
      case WorkRequest.FetchAdd f -> {
        MemorySegment word = remote(f.remote(), Long.BYTES, 8);
        MemorySegment old = local(f.local(), 1);
        if (word == null || old == null) {
          yield word == null ? REMOTE_ACCESS : LOCAL_PROTECTION;
        }
        long before = taken(word);
        old.set(JAVA_LONG, 0, before);
        word.set(JAVA_LONG, 0, before + f.addend());
        yield SUCCESS;
      }
      case WorkRequest.CompareSwap c -> {
        MemorySegment word = remote(c.remote(), Long.BYTES, 8);
        MemorySegment old = local(c.local(), 1);
        if (word == null || old == null) {
          yield word == null ? REMOTE_ACCESS : LOCAL_PROTECTION;
        }
        long before = taken(word);
        old.set(JAVA_LONG, 0, before);
        word.set(JAVA_LONG, 0, before == c.compare() ? c.swap() : before);
        yield SUCCESS;
      }
    };
  }

  /** The value that an atomic loads; the atomic's later store overwrites any concurrent change. */
  private long taken(MemorySegment word) {
    long before = word.get(JAVA_LONG, 0);
    atomics++;
    if (slow) {
      LockSupport.parkNanos(5_000);
    }
    return before;
  }

  /** Reports the write, and places it before the next request of the pair that accesses memory. */
  private int writeLate(Pair pair, WorkRequest.Write work) {
    MemorySegment here = local(work.local(), 0);
    if (here == null || remote(work.remote(), work.local().bytes(), 2) == null) {
      return write(work.local(), work.remote());
    }
    byte[] taken = here.toArray(JAVA_BYTE);
    pair.late =
        () -> {
          MemorySegment there = remote(work.remote(), taken.length, 2);
          if (there != null) {
            there.copyFrom(MemorySegment.ofArray(taken));
          }
        };
    return SUCCESS;
  }

  private int write(Local from, Remote to) {
    if (from.bytes() == 0) {
      return SUCCESS;
    }
    MemorySegment here = local(from, 0);
    MemorySegment there = remote(to, from.bytes(), 2);
    if (here == null || there == null) {
      return here == null ? LOCAL_PROTECTION : REMOTE_ACCESS;
    }
    there.copyFrom(here);
    return SUCCESS;
  }

  private int copy(Remote from, Local to) {
    if (to.bytes() == 0) {
      return SUCCESS;
    }
    MemorySegment there = remote(from, to.bytes(), 4);
    MemorySegment here = local(to, 1);
    if (there == null || here == null) {
      return REMOTE_ACCESS;
    }
    here.copyFrom(there);
    return SUCCESS;
  }

  private @Nullable MemorySegment local(Local local, int access) {
    return memory(local.key() ^ UNLIKE, local.address(), local.bytes(), access);
  }

  private @Nullable MemorySegment remote(Remote remote, long bytes, int access) {
    return memory(remote.key(), remote.address(), bytes, access);
  }

  private @Nullable MemorySegment memory(int key, long address, long bytes, int access) {
    Registered region = regions.get(key);
    return region == null || !region.holds(address, bytes) || (region.access() & access) != access
        ? null
        : MemorySegment.ofAddress(address - region.address() + region.there()).reinterpret(bytes);
  }
}
