package dev.oriel.ibverbs.run;

import dev.oriel.ibverbs.fabric.WireMessage;
import dev.oriel.ports.MachineException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A rank's message to all others when it prepares a program: the program, the address and keys of
 * its memory, and its queue ends for each rank that it connects with (no bytes for the others).
 */
record PreparePayload(String digest, WireMessage.Export export, List<byte[]> offers) {

  static PreparePayload of(RankRun run, List<Integer> neighbours, String digest) {
    List<byte[]> offers = new ArrayList<>(Collections.nCopies(run.world(), new byte[0]));
    for (int peer : neighbours) {
      offers.set(peer, run.connections().offer(peer));
    }
    return new PreparePayload(digest, run.export(), offers);
  }

  byte[] bytes() {
    List<byte[]> parts = new ArrayList<>();
    parts.add(digest.getBytes(StandardCharsets.US_ASCII));
    parts.add(export.bytes());
    parts.addAll(offers);
    int total = parts.stream().mapToInt(p -> Integer.BYTES + p.length).sum();
    ByteBuffer buffer = ByteBuffer.allocate(total);
    parts.forEach(p -> buffer.putInt(p.length).put(p));
    return buffer.array();
  }

  static PreparePayload parse(byte[] bytes) {
    List<byte[]> parts = new ArrayList<>();
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    try {
      while (buffer.hasRemaining()) {
        int length = buffer.getInt();
        if (length < 0 || length > buffer.remaining()) {
          throw new BufferUnderflowException();
        }
        byte[] part = new byte[length];
        buffer.get(part);
        parts.add(part);
      }
      if (parts.size() < 2) {
        throw new BufferUnderflowException();
      }
    } catch (BufferUnderflowException e) {
      throw new MachineException(
          "bytes are no greeting: length=%d; run one version on all ranks".formatted(bytes.length),
          e);
    }
    return new PreparePayload(
        new String(parts.get(0), StandardCharsets.US_ASCII),
        WireMessage.Export.parse(parts.get(1)),
        parts.subList(2, parts.size()));
  }

  /** The queue ends that the sender made for that rank. */
  byte[] offer(int rank) {
    return offers.get(rank);
  }

  void check(int rank, String expected, int world) {
    if (!digest.equals(expected)) {
      throw new MachineException(
          "ranks prepare other programs: rank=%d, digest=%s, expected=%s; prepare the same programs in the same order"
              .formatted(rank, digest, expected));
    }
    if (offers.size() != world) {
      throw new MachineException(
          "rank is of another world: rank=%d, offers=%d, world=%d; start all ranks with one world"
              .formatted(rank, offers.size(), world));
    }
  }
}
