package dev.oriel.domain.group;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * A group of sends and receives as a program. Every lane first announces, for all that its rank
 * receives, that the output may be written. It then sends, each time after the receiver's
 * announcement, and at the end awaits its own data. No rank thus waits before it has sent every
 * announcement that others wait for. The order in which ranks list their calls therefore cannot
 * cause a deadlock.
 *
 * <p>Both ends know the number of bytes from one to the other, so empty transfers need no signal.
 */
public final class Group {
  /** The largest transfer. */
  public static final long MOST_BYTES = 1L << 40;

  /** The most transfers of a group; each has a post-condition. */
  public static final int MOST_TRANSFERS = 1000;

  private static final String NAME = "group";
  private static final int LANES = 32;
  private static final int PARTS = 8;
  private static final long PART = 65_536;

  /** The most parts, provided that each transfer has one. */
  private static final int MOST_PARTS = 1024;

  /** A part of a transfer that one lane carries, with slots of its own. */
  private record Part(GroupTransfer of, int slot, long first, long bytes) {
    boolean local() {
      return of.from() == of.to();
    }
  }

  private final SendReceiveMatching matching;
  private final List<GroupTransfer> transfers;
  private final List<Part> parts = new ArrayList<>();

  private Group(List<List<GroupCall>> byRank) {
    matching = new SendReceiveMatching(byRank);
    transfers = matching.transfers();
    if (transfers.size() > MOST_TRANSFERS) {
      throw new ProgramException(
          "too many transfers: transfers=%d, max=%d; make several groups of them"
              .formatted(transfers.size(), MOST_TRANSFERS));
    }
    for (GroupTransfer t : transfers) {
      split(t);
    }
  }

  /**
   * The program that performs the listed calls of all ranks, in a world of that many ranks.
   *
   * @throws ProgramException naming both ranks of a pair that does not agree on number or bytes
   */
  public static Form form(List<List<GroupCall>> byRank) {
    return new Group(byRank).form();
  }

  /** Splits large transfers over several lanes. */
  private void split(GroupTransfer t) {
    int most = Math.clamp(MOST_PARTS / transfers.size(), 1, PARTS);
    long lanes = Math.clamp(Math.ceilDiv(t.bytes(), PART), 1, most);
    long each = 16 * Math.ceilDiv(Math.ceilDiv(t.bytes(), 16), lanes);
    for (int i = 0; i * each < t.bytes(); i++) {
      parts.add(
          new Part(t, t.number() * PARTS + i, i * each, Math.min(each, t.bytes() - i * each)));
    }
  }

  private Form form() {
    StringBuilder text = new StringBuilder("form " + NAME + "\n");
    int last = transfers.stream().mapToInt(t -> Math.max(t.from(), t.to())).max().orElse(0);
    text.append("require n > %d\n".formatted(last));
    text.append("input in[%d]\noutput out[%d]\n".formatted(matching.input(), matching.output()));
    int slots = 1 + parts.stream().mapToInt(Part::slot).max().orElse(0);
    text.append("signal READY[%d]\nsignal DATA[%d]\n".formatted(slots, slots));
    for (GroupTransfer t : transfers) {
      text.append(
          "ensure out[%d] = in@%d[%d] bytes (1 - min(1, (r - %d) %% n)) * %d\n"
              .formatted(t.target(), t.from(), t.source(), t.to(), t.bytes()));
    }
    int lanes = Math.clamp(parts.size(), 1, LANES);
    for (int lane = 0; lane < lanes; lane++) {
      List<Part> carried = new ArrayList<>();
      for (int i = lane; i < parts.size(); i += lanes) {
        carried.add(parts.get(i));
      }
      text.append("lane carry%d: sm(512) {\n%s}\n".formatted(lane, lane(carried)));
    }
    return FormParser.parse(text.toString());
  }

  private static String lane(List<Part> carried) {
    StringBuilder body = new StringBuilder();
    carried.stream()
        .flatMapToInt(p -> IntStream.of(p.of.from(), p.of.to()))
        .distinct()
        .sorted()
        .forEach(rank -> body.append("if r == %d {\n%s}\n".formatted(rank, at(rank, carried))));
    return body.toString();
  }

  /** The operations of a rank in a lane: announce, send, wait. */
  private static String at(int rank, List<Part> carried) {
    StringBuilder body = new StringBuilder();
    Predicate<Part> comes = p -> !p.local() && p.of.to() == rank;
    Predicate<Part> goes = p -> !p.local() && p.of.from() == rank;
    for (Part p : carried.stream().filter(comes).toList()) {
      body.append("signal READY[%d]@%d set epoch release\n".formatted(p.slot, p.of.from()));
    }
    for (Part p : carried.stream().filter(p -> p.local() && p.of.to() == rank).toList()) {
      body.append(move("out", p));
    }
    for (Part p : carried.stream().filter(goes).toList()) {
      body.append("await READY[%d]@%d reached epoch acquire\n".formatted(p.slot, p.of.to()));
      body.append(move("out@" + p.of.to(), p));
      body.append("signal DATA[%d]@%d set epoch release\n".formatted(p.slot, p.of.to()));
    }
    for (Part p : carried.stream().filter(comes).toList()) {
      body.append("await DATA[%d]@%d reached epoch acquire\n".formatted(p.slot, p.of.from()));
    }
    carried.stream()
        .filter(goes)
        .mapToInt(p -> p.of.to())
        .distinct()
        .forEach(to -> body.append("flush @%d local\n".formatted(to)));
    return body.toString();
  }

  private static String move(String out, Part p) {
    return "move %s[%d] <- in[%d] bytes %d\n"
        .formatted(out, p.of.target() + p.first, p.of.source() + p.first, p.bytes);
  }
}
