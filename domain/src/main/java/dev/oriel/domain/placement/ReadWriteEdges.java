package dev.oriel.domain.placement;

import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.rewrite.FormEdits;
import dev.oriel.domain.rewrite.OperationPart;
import dev.oriel.domain.rewrite.OperationRewrite;
import dev.oriel.domain.rewrite.PartTraversal;
import java.util.ArrayList;
import java.util.List;

/**
 * Adds edges to lanes that read a buffer and then write it. Moves of a lane are unordered until an
 * edge, which a program with two buffers need not have between the two. A {@code sync} before the
 * write is enough if the lane's own threads read. It says nothing about the time at which a network
 * interface reads its source. That needs a flush or a peer's signal, which is not added here; a
 * checker reports where it is missing.
 */
final class ReadWriteEdges {
  private final String buffer;

  ReadWriteEdges(String buffer) {
    this.buffer = buffer;
  }

  /** The form with such an edge wherever one is missing. */
  Form ordered(Form form) {
    return FormEdits.withLanes(
        form,
        form.lanes().stream()
            .map(l -> FormEdits.withBody(l, new Block(false).of(l.body())))
            .toList());
  }

  /** A block, from its first operation on. */
  private final class Block {
    /** Whether some bytes of the buffer were read since the last edge. */
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
            PartTraversal.rewrite(
                op,
                new OperationRewrite() {
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

  /** Whether its block may be repeated. */
  private static boolean turns(Op op) {
    return op instanceof Op.For || op instanceof Op.Each;
  }

  /** Whether the block reads the buffer without an edge of its own after the read. */
  private boolean leavesRead(List<Op> ops) {
    boolean read = false;
    for (Op op : ops) {
      read = after(read, op);
    }
    return read;
  }

  /** Whether the buffer was read since the last edge, given that an edge precedes each write. */
  private boolean after(boolean read, Op op) {
    return !edge(op) && ((read && !writes(op)) || reads(op));
  }

  private boolean reads(Op op) {
    return PartTraversal.all(op, OperationPart.SOURCE).stream().anyMatch(this::isOwn)
        || PartTraversal.blocks(op).stream().flatMap(List::stream).anyMatch(this::reads);
  }

  private boolean writes(Op op) {
    return PartTraversal.all(op, OperationPart.DESTINATION).stream().anyMatch(this::isOwn)
        || PartTraversal.blocks(op).stream().flatMap(List::stream).anyMatch(this::writes);
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
