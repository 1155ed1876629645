package dev.oriel.it.readback;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** All ranks' memory, as seen by one rank's lanes. */
final class Memory {
  private static final int PAGE = 12;
  private static final int SIZE = 1 << PAGE;

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final Layout layout;
  private final TreeMap<Long, byte[]> pages = new TreeMap<>();

  /** Words that the first polls find as they were before another agent wrote them. */
  private final Map<Long, Deque<Long>> late = new HashMap<>();

  /** Words that keep the value of their last poll. */
  private final Set<Long> written = new HashSet<>();

  /** Bytes that are results of arithmetic, which this reader does not recompute. */
  private final Bytes made = new Bytes();

  /** The most recently used page, which is usually the next one too. */
  private long lastNumber = -1;

  private byte[] last = {};

  Memory(Layout layout) {
    this.layout = layout;
  }

  long load(long address, int bytes) {
    layout.check(address, bytes);
    byte[] page = page(address);
    int at = (int) address & (SIZE - 1);
    if (bytes == Long.BYTES && at + bytes <= SIZE) {
      return (long) WORD.get(page, at);
    }
    long value = 0;
    for (int i = bytes - 1; i >= 0; i--) {
      value = (value << Byte.SIZE) | (page(address + i)[(int) (address + i) & (SIZE - 1)] & 0xFF);
    }
    return value;
  }

  /** A strong load, which may come before the awaited write. */
  long look(long address, int bytes) {
    Deque<Long> before = late.get(address);
    if (before == null || before.isEmpty()) {
      return load(address, bytes);
    }
    long found = before.poll();
    if (before.isEmpty() && written.remove(address)) {
      store(address, Long.BYTES, found);
    }
    return found;
  }

  void store(long address, int bytes, long value) {
    layout.check(address, bytes);
    for (int i = 0; i < bytes; i++) {
      page(address + i)[(int) (address + i) & (SIZE - 1)] = (byte) (value >>> (Byte.SIZE * i));
    }
  }

  /** The word has its value only after that many polls, and {@code before} until then. */
  void arrives(long address, long before, int polls) {
    Deque<Long> queue = new ArrayDeque<>();
    for (int i = 0; i < polls; i++) {
      queue.add(before);
    }
    late.put(address, queue);
  }

  /** After those polls another agent writes it: the next poll finds this value in any case. */
  void arrives(long address, long there) {
    late.computeIfAbsent(address, a -> new ArrayDeque<>()).add(there);
    written.add(address);
  }

  void make(long address, long bytes) {
    made.add(address, bytes);
  }

  /** The bytes keep their origin. */
  void copy(long to, long from, long bytes) {
    for (int i = 0; i < bytes; i++) {
      store(to + i, 1, load(from + i, 1));
      if (made.has(from + i, 1)) {
        made.add(to + i, 1);
      } else {
        made.remove(to + i, 1);
      }
    }
  }

  /** The first byte that differs and is known, or -1. */
  long differs(Memory other) {
    Set<Long> all = new TreeSet<>(pages.keySet());
    all.addAll(other.pages.keySet());
    for (long page : all) {
      if (!layout.compared(page << PAGE)) {
        continue;
      }
      byte[] mine = page(page << PAGE);
      byte[] theirs = other.page(page << PAGE);
      for (int i = 0; i < SIZE; i++) {
        if (mine[i] != theirs[i] && !made.has((page << PAGE) + i, 1)) {
          return (page << PAGE) + i;
        }
      }
    }
    return -1;
  }

  private byte[] page(long address) {
    long number = address >>> PAGE;
    if (number != lastNumber) {
      lastNumber = number;
      last = pages.computeIfAbsent(number, this::fresh);
    }
    return last;
  }

  private byte[] fresh(long number) {
    byte[] fresh = new byte[SIZE];
    for (int i = 0; i < SIZE; i++) {
      fresh[i] = (byte) layout.initial((number << PAGE) + i);
    }
    return fresh;
  }
}
