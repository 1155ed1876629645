package dev.oriel.domain.group;

import dev.oriel.domain.program.ProgramException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Matches each receive with its send: the i-th send from one rank to another belongs to the i-th
 * receive there from that rank, regardless of their other calls. Buffers hold the listed bytes one
 * after the other, in the rank's own order.
 */
final class SendReceiveMatching {
  private record Pair(int from, int to) implements Comparable<Pair> {
    @Override
    public int compareTo(Pair other) {
      return from == other.from ? Integer.compare(to, other.to) : Integer.compare(from, other.from);
    }
  }

  /** One end of a transfer: bytes at a place of the rank's buffer. */
  private record End(long offset, long bytes) {}

  private final Map<Pair, List<End>> sent = new TreeMap<>();
  private final Map<Pair, List<End>> received = new TreeMap<>();
  private long input;
  private long output;

  SendReceiveMatching(List<List<GroupCall>> byRank) {
    for (int rank = 0; rank < byRank.size(); rank++) {
      list(rank, byRank.get(rank), byRank.size());
    }
  }

  private void list(int rank, List<GroupCall> calls, int world) {
    long in = 0;
    long out = 0;
    for (GroupCall call : calls) {
      long bytes = call.bytes();
      if (bytes < 0 || bytes > Group.MOST_BYTES) {
        throw new ProgramException(
            "bytes out of range: rank=%d, call=%s, min=0, max=%d; give a number in between"
                .formatted(rank, call, Group.MOST_BYTES));
      }
      switch (call) {
        case GroupCall.Send(int to, long _) -> {
          add(sent, new Pair(rank, peer(rank, to, world)), new End(in, bytes));
          in += bytes;
        }
        case GroupCall.Receive(int from, long _) -> {
          add(received, new Pair(peer(rank, from, world), rank), new End(out, bytes));
          out += bytes;
        }
      }
    }
    input = Math.max(input, in);
    output = Math.max(output, out);
  }

  private static int peer(int rank, int peer, int world) {
    if (peer < 0 || peer >= world) {
      throw new ProgramException(
          "no such rank: rank=%d, peer=%d, world=%d; name 0 to %d"
              .formatted(rank, peer, world, world - 1));
    }
    return peer;
  }

  private static void add(Map<Pair, List<End>> ends, Pair pair, End end) {
    ends.computeIfAbsent(pair, p -> new ArrayList<>()).add(end);
  }

  /** Every transfer of at least one byte, in order of their ranks. */
  List<GroupTransfer> transfers() {
    List<GroupTransfer> transfers = new ArrayList<>();
    sent.forEach(
        (pair, ends) -> match(pair, ends, received.getOrDefault(pair, List.of()), transfers));
    received.forEach((pair, ends) -> {
      if (!sent.containsKey(pair)) {
        match(pair, List.of(), ends, transfers);
      }
    });
    return transfers;
  }

  private static void match(
      Pair pair, List<End> sends, List<End> receives, List<GroupTransfer> into) {
    if (sends.size() != receives.size()) {
      throw new ProgramException(
          "ends of a group disagree: from=%d, to=%d, sends=%d, receives=%d; let rank %d list as many sends to %d as that receives from it"
              .formatted(pair.from, pair.to, sends.size(), receives.size(), pair.from, pair.to));
    }
    int number = 0;
    for (int i = 0; i < sends.size(); i++) {
      End send = sends.get(i);
      End receive = receives.get(i);
      if (send.bytes != receive.bytes) {
        throw new ProgramException(
            "ends of a group disagree: from=%d, to=%d, number=%d, sent=%d, received=%d; give both the same bytes"
                .formatted(pair.from, pair.to, i + 1, send.bytes, receive.bytes));
      }
      if (send.bytes > 0) {
        into.add(
            new GroupTransfer(
                pair.from, pair.to, number++, send.offset, receive.offset, send.bytes));
      }
    }
  }

  /** Bytes of the largest input. */
  long input() {
    return input;
  }

  /** Bytes of the largest output. */
  long output() {
    return output;
  }
}
