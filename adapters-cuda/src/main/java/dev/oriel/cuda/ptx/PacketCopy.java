package dev.oriel.cuda.ptx;

import java.util.List;
import java.util.function.Consumer;

/**
 * Packs data into packets of 16 bytes and back: two 8-byte words, each with 4 bytes of data below
 * and the 32-bit flag above. A word is stored and loaded whole, so its flag vouches for its data
 * and no fence is needed; the two words of a packet may arrive in any order.
 */
final class PacketCopy {
  private final Ptx ptx;
  private final Threads threads;
  private final Patience patience;

  PacketCopy(Ptx ptx, Threads threads, Patience patience) {
    this.ptx = ptx;
    this.threads = threads;
    this.patience = patience;
  }

  /**
   * Reads each 8 bytes once and stores their packet at every address that {@code everyPeer} hands
   * to its argument.
   */
  void pack(String from, String bytes, String flag, Consumer<Consumer<String>> everyPeer) {
    threads.share(packetCount(bytes), packet -> pack(from, bytes, flag, packet, everyPeer));
  }

  /** Packs one packet. */
  void pack(
      String from, String bytes, String flag, String packet, Consumer<Consumer<String>> everyPeer) {
    String high = ptx.word();
    String data = ptx.word();
    loadEight(data, from, bytes, packet);
    String first = ptx.word();
    String second = ptx.word();
    String place = ptx.word();
    ptx.op("shl.b64 %s, %s, 32", high, flag);
    ptx.op("and.b64 %s, %s, 0xFFFFFFFF", first, data);
    ptx.op("or.b64 %s, %s, %s", first, first, high);
    ptx.op("shr.u64 %s, %s, 32", second, data);
    ptx.op("or.b64 %s, %s, %s", second, second, high);
    ptx.op("shl.b64 %s, %s, 4", place, packet);
    everyPeer.accept(to -> {
      String address = ptx.word();
      ptx.op("add.s64 %s, %s, %s", address, to, place);
      ptx.op("st.relaxed.sys.global.v2.u64 [%s], {%s, %s}", address, first, second);
    });
  }

  /** Unpacks every packet of one rank. */
  void unpack(List<String> destinations, String from, String bytes, String flag) {
    threads.share(packetCount(bytes), packet -> unpack(destinations, from, bytes, flag, packet));
  }

  /** Polls one packet until both its words carry the flag, then stores its data everywhere. */
  void unpack(List<String> destinations, String from, String bytes, String flag, String packet) {
    String address = ptx.word();
    String first = ptx.word();
    String second = ptx.word();
    ptx.op("shl.b64 %s, %s, 4", address, packet);
    ptx.op("add.s64 %s, %s, %s", address, address, from);
    Patience.Watch watch = patience.start();
    String again = ptx.label("packet");
    String here = ptx.label("arrived");
    String over = ptx.label("gone");
    String flagOfFirst = ptx.word();
    String flagOfSecond = ptx.word();
    String one = ptx.predicate();
    String both = ptx.predicate();
    ptx.place(again);
    ptx.op("ld.relaxed.sys.global.v2.u64 {%s, %s}, [%s]", first, second, address);
    ptx.op("shr.u64 %s, %s, 32", flagOfFirst, first);
    ptx.op("shr.u64 %s, %s, 32", flagOfSecond, second);
    ptx.op("setp.eq.u64 %s, %s, %s", one, flagOfFirst, flag);
    ptx.op("setp.eq.and.u64 %s, %s, %s, %s", both, flagOfSecond, flag, one);
    ptx.opIf(both, "bra %s", here);
    patience.again(watch, again, over);
    ptx.place(here);
    String data = ptx.word();
    ptx.op("and.b64 %s, %s, 0xFFFFFFFF", data, first);
    ptx.op("shl.b64 %s, %s, 32", second, second);
    ptx.op("or.b64 %s, %s, %s", data, data, second);
    destinations.forEach(to -> storeEight(data, to, bytes, packet));
    ptx.place(over);
  }

  /**
   * A packet that was looked at once: where it is, what it held, and the flag that it must have.
   */
  record Asked(String address, String first, String second, String flag) {}

  /** Looks at one packet without waiting for what it holds. */
  Asked ask(String from, String flag, String packet) {
    String address = ptx.word();
    ptx.op("shl.b64 %s, %s, 4", address, packet);
    ptx.op("add.s64 %s, %s, %s", address, address, from);
    Asked asked = new Asked(address, ptx.word(), ptx.word(), flag);
    look(asked);
    return asked;
  }

  /** Looks again until both words carry the flag: the two words of its data. */
  List<String> arrived(Asked asked, String over) {
    Patience.Watch watch = patience.start();
    String again = ptx.label("packet");
    String check = ptx.label("check");
    String here = ptx.label("arrived");
    String[] data = {ptx.half(), ptx.half()};
    String[] flags = {ptx.half(), ptx.half()};
    String wanted = ptx.half();
    String one = ptx.predicate();
    String both = ptx.predicate();
    ptx.op("cvt.u32.u64 %s, %s", wanted, asked.flag());
    ptx.op("bra %s", check);
    ptx.place(again);
    look(asked);
    ptx.place(check);
    ptx.op("mov.b64 {%s, %s}, %s", data[0], flags[0], asked.first());
    ptx.op("mov.b64 {%s, %s}, %s", data[1], flags[1], asked.second());
    ptx.op("setp.eq.u32 %s, %s, %s", one, flags[0], wanted);
    ptx.op("setp.eq.and.u32 %s, %s, %s, %s", both, flags[1], wanted, one);
    ptx.opIf(both, "bra %s", here);
    patience.again(watch, again, over);
    ptx.place(here);
    return List.of(data);
  }

  private void look(Asked asked) {
    ptx.op(
        "ld.relaxed.sys.global.v2.u64 {%s, %s}, [%s]",
        asked.first(), asked.second(), asked.address());
  }

  /** How many packets carry so many bytes; at least one, which carries the flag. */
  String packetCount(String bytes) {
    String count = ptx.word();
    ptx.op("add.s64 %s, %s, 7", count, bytes);
    ptx.op("shr.u64 %s, %s, 3", count, count);
    ptx.op("max.u64 %s, %s, 1", count, count);
    return count;
  }

  /** Eight bytes at once where they are whole and aligned, one by one elsewhere. */
  private void loadEight(String data, String from, String bytes, String packet) {
    Eight eight = eight(from, bytes, packet);
    String slow = ptx.label("slow");
    String end = ptx.label("loaded");
    ptx.op("mov.b64 %s, 0", data);
    ptx.opIf(eight.slow(), "bra %s", slow);
    ptx.op("ld.global.u64 %s, [%s]", data, eight.address());
    ptx.op("bra %s", end);
    ptx.place(slow);
    for (int i = 0; i < Long.BYTES; i++) {
      ptx.op("setp.le.u64 %s, %s, %d", eight.slow(), eight.left(), i);
      ptx.opIf(eight.slow(), "bra %s", end);
      String wide = ptx.word();
      ptx.op("ld.global.u8 %s, [%s+%d]", wide, eight.address(), i);
      ptx.op("shl.b64 %s, %s, %d", wide, wide, 8 * i);
      ptx.op("or.b64 %s, %s, %s", data, data, wide);
    }
    ptx.place(end);
  }

  void storeEight(String data, String to, String bytes, String packet) {
    Eight eight = eight(to, bytes, packet);
    String slow = ptx.label("slow");
    String end = ptx.label("stored");
    ptx.opIf(eight.slow(), "bra %s", slow);
    ptx.op("st.global.u64 [%s], %s", eight.address(), data);
    ptx.op("bra %s", end);
    ptx.place(slow);
    for (int i = 0; i < Long.BYTES; i++) {
      ptx.op("setp.le.u64 %s, %s, %d", eight.slow(), eight.left(), i);
      ptx.opIf(eight.slow(), "bra %s", end);
      String low = ptx.word();
      ptx.op("shr.u64 %s, %s, %d", low, data, 8 * i);
      ptx.op("st.global.u8 [%s+%d], %s", eight.address(), i, low);
    }
    ptx.place(end);
  }

  /** The address of a packet's data, how many bytes are left there, and whether to go slowly. */
  private record Eight(String address, String left, String slow) {}

  private Eight eight(String base, String bytes, String packet) {
    String at = ptx.word();
    String address = ptx.word();
    String left = ptx.word();
    String low = ptx.word();
    String unaligned = ptx.predicate();
    String slow = ptx.predicate();
    ptx.op("shl.b64 %s, %s, 3", at, packet);
    ptx.op("add.s64 %s, %s, %s", address, base, at);
    ptx.op("min.u64 %s, %s, %s", at, at, bytes);
    ptx.op("sub.s64 %s, %s, %s", left, bytes, at);
    ptx.op("and.b64 %s, %s, 7", low, address);
    ptx.op("setp.ne.u64 %s, %s, 0", unaligned, low);
    ptx.op("setp.lt.or.u64 %s, %s, 8, %s", slow, left, unaligned);
    return new Eight(address, left, slow);
  }
}
