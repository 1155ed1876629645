package dev.oriel.sim.weak;

import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.domain.program.PacketFormat;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.window.Comparison;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A micro-operation of one lane instance with its operands compiled and its names resolved. */
sealed interface Act {

  record Jump(int target) implements Act {}

  record Unless(List<Compare> all, int target) implements Act {}

  record UnlessKind(Term peer, PeerKind kind, int target) implements Act {}

  record Set(int register, Term value) implements Act {}

  record Bar() implements Act {}

  record Fence(Scope scope) implements Act {}

  record Copy(List<Place> destinations, Combine combine, List<Place> sources, Term bytes)
      implements Act {}

  record WriteSlot(Word word, Change change, Term value, boolean release, Scope scope)
      implements Act {}

  record Poll(
      Word word, boolean sum, Comparison comparison, Term value, boolean acquire, Scope scope)
      implements Act {}

  record AwaitLane(List<Integer> lanes) implements Act {}

  record Load(int register, Place place, Term max, int code) implements Act {}

  record Store(Place place, Term value) implements Act {}

  record Check(List<Compare> all, int code) implements Act {}

  record PostWrite(Term peer, Place local, Place remote, Term bytes) implements Act {}

  record PostRead(Term peer, Place local, Place remote, Term bytes) implements Act {}

  record PostSlot(Term peer, Word word, Change change, Term value) implements Act {}

  record PostReadBack(Term peer) implements Act {}

  record AwaitQueue(Term peer) implements Act {}

  record Consist() implements Act {}

  record End() implements Act {}

  /** One comparison of a condition. */
  record Compare(Term left, Comparison comparison, Term right) {
    static boolean holds(List<Compare> all, long[] registers) {
      for (Compare c : all) {
        if (!c.comparison.test(c.left.eval(registers), c.right.eval(registers))) {
          return false;
        }
      }
      return true;
    }
  }

  /** The ranks of an operand: a fixed set, or one computed rank. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Ranks(int[] fixed, @Nullable Term one) {}

  /** Bytes of a buffer of some ranks; packets have a format and a flag. */
  record Place(int buffer, Ranks ranks, Term offset, @Nullable PacketFormat format, Term flag) {}

  /** A slot shared with some ranks: its place in a row of its signal array. */
  record Word(int signal, Term index, Ranks ranks) {}
}
