package dev.oriel.cuda.ptx;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Packets of one or two 8-byte words, each with 4 bytes of data below and the 32-bit flag above. A
 * word is stored and loaded whole: its flag vouches for its data, and no fence is needed. The two
 * words of a packet may arrive in any order. Each packet belongs to one thread.
 */
final class PacketCopy implements PacketCode {
  private final PtxBuilder ptx;
  private final WorkSharingCode threads;
  private final BoundedWaitCode waits;

  /** 8-byte words of a packet. */
  private final int count;

  /** A packet has {@code 1 << shift} bytes of data, and twice as many bytes in all. */
  private final int shift;

  private final UnitCode data;

  /**
   * @param count 1 or 2 words a packet
   */
  PacketCopy(PtxBuilder ptx, WorkSharingCode threads, BoundedWaitCode waits, int count) {
    this.ptx = ptx;
    this.threads = threads;
    this.waits = waits;
    this.count = count;
    this.shift = count + 1;
    this.data = new UnitCode(ptx, shift);
  }

  @Override
  public WorkSharingCode sharers() {
    return threads;
  }

  @Override
  public String items(String bytes) {
    String packets = ptx.word();
    ptx.op("add.s64 %s, %s, %d", packets, bytes, (1 << shift) - 1);
    ptx.op("shr.u64 %s, %s, %d", packets, packets, shift);
    ptx.op("max.u64 %s, %s, 1", packets, packets);
    return packets;
  }

  @Override
  public int unit() {
    return 1 << shift;
  }

  @Override
  public Content plain(String from, String bytes) {
    return (content, unit) -> data.load(content, from, bytes, unit);
  }

  @Override
  public void pack(
      Content source,
      String bytes,
      String flag,
      String packet,
      Consumer<Consumer<String>> everyPeer) {
    String content = ptx.word();
    source.load(content, packet);
    pack(content, flag, packet, everyPeer);
  }

  @Override
  public void pack(
      List<String> words,
      String bytes,
      String flag,
      String packet,
      Consumer<Consumer<String>> everyPeer) {
    pack(joined(words), flag, packet, everyPeer);
  }

  @Override
  public List<String> load(String from, String bytes, String packet) {
    String content = ptx.word();
    List<String> words = halves();
    data.load(content, from, bytes, packet);
    if (count == 2) {
      ptx.op("mov.b64 {%s}, %s", String.join(", ", words), content);
    } else {
      ptx.op("cvt.u32.u64 %s, %s", words.getFirst(), content);
    }
    return words;
  }

  private void pack(
      String content, String flag, String packet, Consumer<Consumer<String>> everyPeer) {
    String high = ptx.word();
    List<String> made = registers();
    String place = ptx.word();
    ptx.op("shl.b64 %s, %s, 32", high, flag);
    ptx.op("and.b64 %s, %s, 0xFFFFFFFF", made.getFirst(), content);
    ptx.op("or.b64 %s, %s, %s", made.getFirst(), made.getFirst(), high);
    if (count == 2) {
      ptx.op("shr.u64 %s, %s, 32", made.getLast(), content);
      ptx.op("or.b64 %s, %s, %s", made.getLast(), made.getLast(), high);
    }
    ptx.op("shl.b64 %s, %s, %d", place, packet, shift + 1);
    everyPeer.accept(to -> {
      String address = ptx.word();
      ptx.op("add.s64 %s, %s, %s", address, to, place);
      ptx.op("st.relaxed.sys.global.%s [%s], %s", type(), address, vector(made));
    });
  }

  @Override
  public void unpack(
      List<String> destinations, String from, String bytes, String flag, String packet) {
    String address = ptx.word();
    List<String> words = registers();
    ptx.op("shl.b64 %s, %s, %d", address, packet, shift + 1);
    ptx.op("add.s64 %s, %s, %s", address, address, from);
    BoundedWaitCode.WaitTimer watch = waits.start(address);
    String again = ptx.label("packet");
    String here = ptx.label("arrived");
    String over = ptx.label("gone");
    List<String> flags = registers();
    ptx.place(again);
    look(address, words);
    for (int i = 0; i < count; i++) {
      ptx.op("shr.u64 %s, %s, 32", flags.get(i), words.get(i));
    }
    ptx.opIf(all("u64", flags, flag), "bra %s", here);
    waits.again(watch, again, over);
    ptx.place(here);
    String content = ptx.word();
    ptx.op("and.b64 %s, %s, 0xFFFFFFFF", content, words.getFirst());
    if (count == 2) {
      ptx.op("shl.b64 %s, %s, 32", words.getLast(), words.getLast());
      ptx.op("or.b64 %s, %s, %s", content, content, words.getLast());
    }
    destinations.forEach(to -> data.store(content, to, bytes, packet));
    ptx.place(over);
  }

  @Override
  public LoadedPackets ask(String from, String bytes, String flag, String packet) {
    String address = ptx.word();
    ptx.op("shl.b64 %s, %s, %d", address, packet, shift + 1);
    ptx.op("add.s64 %s, %s, %s", address, address, from);
    List<String> words = registers();
    look(address, words);
    return over -> arrived(address, words, flag, over);
  }

  private List<String> arrived(String address, List<String> words, String flag, String over) {
    BoundedWaitCode.WaitTimer watch = waits.start(address);
    String again = ptx.label("packet");
    String check = ptx.label("check");
    String here = ptx.label("arrived");
    List<String> contents = halves();
    List<String> flags = halves();
    String wanted = ptx.half();
    ptx.op("cvt.u32.u64 %s, %s", wanted, flag);
    ptx.op("bra %s", check);
    ptx.place(again);
    look(address, words);
    ptx.place(check);
    for (int i = 0; i < count; i++) {
      ptx.op("mov.b64 {%s, %s}, %s", contents.get(i), flags.get(i), words.get(i));
    }
    ptx.opIf(all("u32", flags, wanted), "bra %s", here);
    waits.again(watch, again, over);
    ptx.place(here);
    return contents;
  }

  @Override
  public int words() {
    return count;
  }

  @Override
  public void eachUnit(String bytes, String packet, BiConsumer<String, Integer> body) {
    body.accept(packet, 0);
  }

  @Override
  public void store(List<String> words, String to, String bytes, String packet) {
    data.store(joined(words), to, bytes, packet);
  }

  private String joined(List<String> words) {
    String content = ptx.word();
    if (count == 2) {
      ptx.op("mov.b64 %s, {%s}", content, String.join(", ", words));
    } else {
      ptx.op("cvt.u64.u32 %s, %s", content, words.getFirst());
    }
    return content;
  }

  private void look(String address, List<String> words) {
    ptx.op("ld.relaxed.sys.global.%s %s, [%s]", type(), vector(words), address);
  }

  /** A predicate that is true if all flags are the expected one. */
  private String all(String type, List<String> flags, String wanted) {
    String one = ptx.predicate();
    ptx.op("setp.eq.%s %s, %s, %s", type, one, flags.getFirst(), wanted);
    if (count == 1) {
      return one;
    }
    String both = ptx.predicate();
    ptx.op("setp.eq.and.%s %s, %s, %s, %s", type, both, flags.getLast(), wanted, one);
    return both;
  }

  private String type() {
    return count == 2 ? "v2.u64" : "u64";
  }

  private String vector(List<String> words) {
    return count == 2 ? "{" + String.join(", ", words) + "}" : words.getFirst();
  }

  private List<String> registers() {
    List<String> fresh = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      fresh.add(ptx.word());
    }
    return fresh;
  }

  private List<String> halves() {
    List<String> fresh = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      fresh.add(ptx.half());
    }
    return fresh;
  }
}
