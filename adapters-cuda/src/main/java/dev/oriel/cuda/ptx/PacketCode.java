package dev.oriel.cuda.ptx;

import java.util.List;
import java.util.function.Consumer;

/**
 * How data goes into packets of one format and out of them again. Work comes in items, which {@link
 * #sharers} share out; each thread of a sharer has its own part of an item.
 */
interface PacketCode {
  /** Who an item belongs to: a thread, or a whole warp. */
  Threads sharers();

  /** How many items the packets of so many bytes are; at least one, which carries the flag. */
  String items(String bytes);

  /** Reads the item's data once and stores its packets at every address that is handed over. */
  void pack(
      String from, String bytes, String flag, String item, Consumer<Consumer<String>> everyPeer);

  /** Polls the item's packets until all carry the flag, then stores their data everywhere. */
  void unpack(List<String> destinations, String from, String bytes, String flag, String item);

  /** Looks at the item's packets without waiting for what they hold. */
  Asked ask(String from, String bytes, String flag, String item);

  /** How many 32-bit words of an item's data a thread has. */
  int words();

  /** Stores so many words, the part of the thread, where the item's data belongs. */
  void store(List<String> words, String to, String bytes, String item);

  /** Packets that were looked at once. */
  @FunctionalInterface
  interface Asked {
    /**
     * Looks again until they carry the flag: the thread's words. Who gives up goes to the label.
     */
    List<String> arrived(String over);
  }
}
