package dev.oriel.it.readback;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.it.readback.Event.Kind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A move: threads share the bytes in any way, in loads and stores of any width. Every byte of every
 * destination is stored once, by weak stores. Packets are stored and polled whole, with their
 * flags, by the strong accesses that keep them whole.
 */
final class Moving extends Wanted {
  /** Bytes that are loaded, bytes not loaded yet, and bytes not stored yet. */
  private final Bytes sources = new Bytes();

  private final Bytes unread = new Bytes();
  private final Bytes unwritten = new Bytes();
  private int bytes;

  private final Map<Long, Boolean> packed = new HashMap<>();
  private final Map<Long, Long> flags = new HashMap<>();
  private final Map<Long, Boolean> polled = new HashMap<>();
  private final Set<Long> lasts = new HashSet<>();
  private final Map<Long, PacketFormat> formats = new HashMap<>();

  Moving(String step) {
    super(step);
  }

  /** Every one of those bytes is loaded. */
  void from(long address, long count) {
    sources.add(address, count);
    unread.add(address, count);
    bytes += (int) count;
  }

  /** A hook loads the bytes that it needs among those. */
  void among(long address, long count) {
    sources.add(address, count);
  }

  void to(long address, long count) {
    unwritten.add(address, count);
    bytes += (int) count;
  }

  void toPacket(PacketFormat format, long address) {
    for (long part = 0; part < format.bytes(); part += access(format)) {
      packed.put(address + part, false);
      formats.put(address + part, format);
    }
  }

  void fromPacket(PacketFormat format, long address, long flag) {
    for (long part = 0; part < format.bytes(); part += access(format)) {
      polled.put(address + part, false);
      formats.put(address + part, format);
      flags.put(address + part, flag);
    }
    lasts.add(address + format.bytes() - access(format));
  }

  /** Bytes of one access to a packet. */
  private static int access(PacketFormat format) {
    return Math.min(16, format.bytes());
  }

  @Override
  boolean reads(Event e) {
    boolean ours = sources.has(e.place().address(), e.place().bytes());
    if (ours) {
      unread.remove(e.place().address(), e.place().bytes());
    }
    return ours;
  }

  @Override
  boolean takes(Event e) {
    long address = e.place().address();
    if (e.kind() == Kind.STORE && e.weak()) {
      boolean ours = unwritten.has(address, e.place().bytes());
      if (ours) {
        unwritten.remove(address, e.place().bytes());
      }
      return ours;
    }
    PacketFormat format = formats.get(address);
    if (format == null
        || e.place().bytes() != access(format)
        || e.place().parts() * Long.BYTES != access(format)) {
      return false;
    }
    if (e.is(Kind.STORE, "relaxed", "sys") && !packed.getOrDefault(address, true)) {
      packed.put(address, true);
      return true;
    }
    if (e.is(Kind.LOAD, "relaxed", "sys") && polled.containsKey(address)) {
      polled.put(address, arrived(format, e));
      return true;
    }
    return false;
  }

  /** Whether that poll found the flag; only the last part of a line has one. */
  private boolean arrived(PacketFormat format, Event e) {
    long flag = flags.getOrDefault(e.place().address(), 0L);
    if (format == PacketFormat.LINE128) {
      return !lasts.contains(e.place().address()) || e.values().getLast() == flag;
    }
    return e.values().stream().allMatch(word -> word >>> 32 == (flag & 0xFFFF_FFFFL));
  }

  @Override
  Optional<String> missing(Layout layout) {
    return first("nobody loads ", unread.first(), layout)
        .or(() -> first("nobody stores ", unwritten.first(), layout))
        .or(() -> first("nobody packs ", undone(packed), layout))
        .or(() -> first("nobody waits for the flag of ", undone(polled), layout));
  }

  private static OptionalLong undone(Map<Long, Boolean> packets) {
    return packets.entrySet().stream()
        .filter(p -> !p.getValue())
        .mapToLong(Map.Entry::getKey)
        .min();
  }

  private static Optional<String> first(String what, OptionalLong address, Layout layout) {
    return address.isEmpty()
        ? Optional.empty()
        : Optional.of(what + layout.describe(address.getAsLong()));
  }

  @Override
  int actions() {
    return bytes + packed.size() + polled.size();
  }
}
