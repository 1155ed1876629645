package dev.oriel.sim.engine;

import dev.oriel.sim.engine.LaneState.Posted;
import java.util.List;
import java.util.Map;

/** A 128-bit fingerprint of a world, the same on every JVM. */
@SuppressWarnings("EnumOrdinal") // compared only within one run
public record WorldFingerprint(long high, long low) {

  /** The fingerprint of the state that determines all further steps. */
  public static WorldFingerprint of(WorldState world) {
    Mixer mixer = new Mixer();
    for (int r = 0; r < world.size(); r++) {
      mixer.add(world.launched[r]);
      for (byte[] bytes : world.memory[r]) {
        mixer.add(bytes);
      }
      for (long[] words : world.slots[r]) {
        for (long word : words) {
          mixer.add(word);
        }
      }
      world.lanes.get(r).forEach(lane -> lane(mixer, lane));
    }
    return new WorldFingerprint(mixer.high, mixer.low);
  }

  private static void lane(Mixer mixer, LaneState lane) {
    mixer.add(lane.ended ? -1 : lane.at);
    mixer.add(lane.failure);
    for (long value : lane.registers.values()) {
      mixer.add(value);
    }
    mixer.add(lane.stores.size());
    for (PendingStore s : lane.stores) {
      mixer.add((long) s.rank() << 32 | s.buffer());
      mixer.add(s.offset());
      mixer.add(s.kind().ordinal() * 2 + (s.release() ? 1 : 0));
      mixer.add(s.bytes());
    }
    for (Map.Entry<Integer, List<Posted>> queue : lane.queues.entrySet()) {
      mixer.add(queue.getKey());
      mixer.add(queue.getValue().size());
      queue.getValue().forEach(p -> posted(mixer, p));
    }
  }

  private static void posted(Mixer mixer, Posted posted) {
    switch (posted) {
      case Posted.Write(int buffer, long offset, int length, int toBuffer, long toOffset) -> {
        mixer.add(1);
        mixer.add((long) buffer << 32 | toBuffer);
        mixer.add(offset);
        mixer.add(length);
        mixer.add(toOffset);
      }
      case Posted.Read(int buffer, long offset, int length, int fromBuffer, long fromOffset) -> {
        mixer.add(2);
        mixer.add((long) buffer << 32 | fromBuffer);
        mixer.add(offset);
        mixer.add(length);
        mixer.add(fromOffset);
      }
      case Posted.Slot(PendingStore s) -> {
        mixer.add(3);
        mixer.add((long) s.rank() << 32 | s.buffer());
        mixer.add(s.offset());
        mixer.add(s.kind().ordinal());
        mixer.add(s.value());
      }
      case Posted.ReadBack() -> mixer.add(4);
    }
  }

  private static final class Mixer {
    private long high = 0x9E3779B97F4A7C15L;
    private long low = 0xD1B54A32D192ED03L;

    void add(long word) {
      high = (high ^ word) * 0xBF58476D1CE4E5B9L;
      high ^= high >>> 32;
      low = (low + word) * 0x94D049BB133111EBL;
      low ^= low >>> 29;
    }

    void add(byte[] bytes) {
      add(bytes.length);
      int i = 0;
      for (; i + Long.BYTES <= bytes.length; i += Long.BYTES) {
        add(LittleEndianWords.get(bytes, i));
      }
      for (; i < bytes.length; i++) {
        add(bytes[i]);
      }
    }
  }
}
