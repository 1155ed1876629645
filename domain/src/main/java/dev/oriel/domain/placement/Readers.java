package dev.oriel.domain.placement;

import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.rewrite.Forms;
import dev.oriel.domain.rewrite.Part;
import dev.oriel.domain.rewrite.Parts;
import dev.oriel.domain.rewrite.Rewrite;
import java.util.ArrayList;
import java.util.List;

/**
 * Lanes that read a buffer and then write it: moves of a lane are unordered until an edge, which a
 * program with two buffers need not have in between. A {@code sync} in front of what writes is
 * enough where the lane's own threads read. Where a network interface fetches what is read, it says
 * nothing of when: that takes a flush or a peer's word, which is not added here, and a checker
 * tells where it lacks.
 */
final class Readers {
  private final String buffer;

  Readers(String buffer) {
    this.buffer = buffer;
  }

  /** The form with such an edge wherever one lacks. */
  Form ordered(Form form) {
    return Forms.withLanes(
        form,
        form.lanes().stream().map(l -> Forms.withBody(l, new Block(false).of(l.body()))).toList());
  }

  /** A block, from its first operation on. */
  private final class Block {
    /** Whether something of the buffer was read since the last edge. */
    private boolean read;

    Block(boolean read) {
      this.read = read;
    }

    List<Op> of(List<Op> ops) {
      List<Op> ordered = new ArrayList<>();
      for (Op op : ops) {
        if (read && writes(op)) {
          ordered.add(new Op.Sync());
          read = false;
        }
        ordered.add(
            Parts.rewrite(
                op,
                new Rewrite() {
                  @Override
                  public List<Op> block(List<Op> inner) {
                    return new Block(turns(op) && leavesRead(inner)).of(inner);
                  }
                }));
        read = after(read, op);
      }
      return ordered;
    }
  }

  /** Whether its block may follow itself. */
  private static boolean turns(Op op) {
    return op instanceof Op.For || op instanceof Op.Each;
  }

  /** Whether something is read in the block that no edge of it follows. */
  private boolean leavesRead(List<Op> ops) {
    boolean read = false;
    for (Op op : ops) {
      read = after(read, op);
    }
    return read;
  }

  /** Whether something was read since the last edge, one of which stands before what writes. */
  private boolean after(boolean read, Op op) {
    return !edge(op) && ((read && !writes(op)) || reads(op));
  }

  private boolean reads(Op op) {
    return Parts.all(op, Part.SOURCE).stream().anyMatch(this::isOwn)
        || Parts.blocks(op).stream().flatMap(List::stream).anyMatch(this::reads);
  }

  private boolean writes(Op op) {
    return Parts.all(op, Part.DESTINATION).stream().anyMatch(this::isOwn)
        || Parts.blocks(op).stream().flatMap(List::stream).anyMatch(this::writes);
  }

  private boolean isOwn(Region g) {
    return g.buffer().equals(buffer) && !(g.at() instanceof Peers.Others);
  }

  private static boolean edge(Op op) {
    return switch (op) {
      case Op.Sync _, Op.Join _, Call.Meet _ -> true;
      case Op.Await await -> await.order() == Order.ACQUIRE;
      default -> false;
    };
  }
}
