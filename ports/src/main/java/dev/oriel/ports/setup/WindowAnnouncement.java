package dev.oriel.ports.setup;

import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.MachineException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A rank's announcement of its part of a window: the specification, field by field, the peers that
 * it reaches over RDMA, and the export of its part.
 */
@SuppressWarnings("ArrayRecordComponent") // the array belongs to the reader alone
record WindowAnnouncement(List<String> spec, String peers, byte[] export) {

  /** Ranks, separated by commas. */
  private static final Pattern PEERS = Pattern.compile("(\\d{1,9}(,\\d{1,9})*)?");

  private static final int FIELDS = 7;

  /**
   * This rank's announcement.
   *
   * @param given whether the caller gave the memory of the part
   */
  static WindowAnnouncement of(WindowSpec spec, boolean given, String peers, byte[] export) {
    return new WindowAnnouncement(
        List.of(
            "name=" + spec.name(),
            "data=" + spec.data(),
            "signals=" + spec.signals(),
            "counters=" + spec.counters(),
            "barriers=" + spec.barriers(),
            "rdmaRows=" + spec.rdmaRows(),
            "memory=" + (given ? "the caller's" : "the window's")),
        peers,
        export);
  }

  byte[] bytes() {
    byte[] text = (peers + "\n" + String.join("\n", spec)).getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(Integer.BYTES + export.length + text.length)
        .putInt(export.length)
        .put(export)
        .put(text)
        .array();
  }

  /**
   * Parses a rank's announcement.
   *
   * @throws MachineException if the bytes are not an announcement
   */
  private static WindowAnnouncement parse(int rank, byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    int length = bytes.length < Integer.BYTES ? -1 : buffer.getInt();
    if (length < 0 || length > buffer.remaining()) {
      throw foreign(rank, bytes);
    }
    byte[] export = new byte[length];
    buffer.get(export);
    String text = StandardCharsets.UTF_8.decode(buffer).toString();
    List<String> lines = List.of(text.split("\n", -1));
    if (lines.size() != 1 + FIELDS || !PEERS.matcher(lines.getFirst()).matches()) {
      throw foreign(rank, bytes);
    }
    return new WindowAnnouncement(lines.subList(1, lines.size()), lines.getFirst(), export);
  }

  private static MachineException foreign(int rank, byte[] bytes) {
    return new MachineException(
        "message does not describe a window: rank=%d, length=%d; run the same version on all ranks"
            .formatted(rank, bytes.length));
  }

  /** Each rank's export, after checking that all of them announce the same window. */
  static List<byte[]> exports(List<byte[]> all) {
    List<byte[]> exports = new ArrayList<>();
    WindowAnnouncement first = parse(0, all.getFirst());
    for (int rank = 0; rank < all.size(); rank++) {
      WindowAnnouncement theirs = parse(rank, all.get(rank));
      theirs.requireSame(rank, first);
      exports.add(theirs.export);
    }
    return exports;
  }

  /** The peers that each rank reaches over RDMA. */
  static List<Set<Integer>> peers(List<byte[]> all) {
    return IntStream.range(0, all.size())
        .mapToObj(rank -> RdmaPeers.parse(parse(rank, all.get(rank)).peers))
        .toList();
  }

  /** Throws if this, of {@code rank}, is another window than {@code first}, of rank 0. */
  private void requireSame(int rank, WindowAnnouncement first) {
    for (int field = 0; field < spec.size(); field++) {
      if (!spec.get(field).equals(first.spec.get(field))) {
        throw new MachineException(
            "ranks disagree on a window: rank=%d, %s, rank 0 has %s; pass equal specifications"
                .formatted(rank, spec.get(field), first.spec.get(field)));
      }
    }
  }
}
