package dev.oriel.cuda.ptx;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Generates the packing of data into packets of one format, and the unpacking. Work is divided into
 * items, which {@link #sharers} share out; each thread of a sharer has its own part of an item.
 */
interface PacketCode {
  /** The unit that an item belongs to: a thread, or a whole warp. */
  WorkSharingCode sharers();

  /** The number of items in the packets of so many bytes; at least one, which carries the flag. */
  String items(String bytes);

  /** Bytes of a unit of data, which lies in one packet as a whole. */
  int unit();

  /** The data to be packed. */
  @FunctionalInterface
  interface Content {
    /** Puts the unit of that number into a 64-bit register; bytes beyond the data are 0. */
    void load(String data, String unit);
  }

  /** Data of so many bytes at an address. */
  Content plain(String from, String bytes);

  /** Reads the item's data once and stores its packets at each given address. */
  void pack(
      Content content,
      String bytes,
      String flag,
      String item,
      Consumer<Consumer<String>> everyPeer);

  /** Stores the item's packets, of the thread's words, at each given address. */
  void pack(
      List<String> words,
      String bytes,
      String flag,
      String item,
      Consumer<Consumer<String>> everyPeer);

  /** The thread's words of the item's data in plain memory; bytes beyond the data are 0. */
  List<String> load(String from, String bytes, String item);

  /** Polls the item's packets until all carry the flag, then stores their data everywhere. */
  void unpack(List<String> destinations, String from, String bytes, String flag, String item);

  /** Loads the item's packets without waiting for their contents. */
  LoadedPackets ask(String from, String bytes, String flag, String item);

  /** The number of 32-bit words of an item's data that a thread has. */
  int words();

  /**
   * Runs the body for each unit of an item's data that the thread has, with the register of the
   * unit's number and the index of its first word among the thread's.
   */
  void eachUnit(String bytes, String item, BiConsumer<String, Integer> body);

  /** Stores a thread's words at their place in the item's data. */
  void store(List<String> words, String to, String bytes, String item);

  /** Packets that were loaded once. */
  @FunctionalInterface
  interface LoadedPackets {
    /**
     * Polls until the packets carry the flag; returns the thread's words. A thread that gives up
     * branches to the label.
     */
    List<String> arrived(String over);
  }
}
