package dev.oriel.domain.mscclpp;

import dev.oriel.domain.msccl.MscclCollective;
import dev.oriel.domain.msccl.MscclPlan.PlanBuffer;
import dev.oriel.domain.msccl.PlanStep;
import dev.oriel.domain.program.TextPosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An MSCCL++ execution plan with the ids of its file. {@link ExecutionPlanReader} makes only valid
 * ones: every id, index and number is in range, and places and channels name their gpus.
 *
 * @param packets whether scratch holds packets, and so twice the bytes
 * @param doubleScratch whether launches take the halves of scratch in turns
 * @param reused whether scratch has a fixed size, which large chunks pass in turns
 * @param chunks the number of chunks into which the collective's larger buffer is cut
 * @param alignment bytes that no split of a chunk divides
 * @param mostBytes {@link Long#MAX_VALUE} if there is no limit
 * @param notes what is right here and may surprise in the executor
 */
public record ExecutionPlan(
    String name,
    MscclCollective collective,
    String collectiveName,
    boolean packets,
    boolean inPlace,
    boolean doubleScratch,
    boolean reused,
    int chunks,
    int alignment,
    long leastBytes,
    long mostBytes,
    List<Gpu> gpus,
    List<String> notes) {

  public ExecutionPlan {
    gpus = List.copyOf(gpus);
    notes = List.copyOf(notes);
  }

  /** A GPU; sizes are in chunks. */
  record Gpu(
      int id, int inputs, int outputs, int scratch, List<Integer> semaphores, List<Block> blocks) {
    Gpu {
      semaphores = List.copyOf(semaphores);
      blocks = List.copyOf(blocks);
    }

    int size(PlanBuffer buffer) {
      return switch (buffer) {
        case I -> inputs;
        case O -> outputs;
        case S -> scratch;
      };
    }
  }

  /** A thread block, which executes its operations one after another. */
  record Block(int gpu, int id, List<Operation> operations, TextPosition at) {
    Block {
      operations = List.copyOf(operations);
    }

    String ids() {
      return "gpu %d, tb %d".formatted(gpu, id);
    }
  }

  /** How a channel reaches its peer. */
  enum ChannelType {
    MEMORY,
    /** By a proxy of the host, which executes requests in their order. */
    PORT,
    SWITCH,
    NONE
  }

  /**
   * A channel to a peer.
   *
   * @param id its id in the gpu
   * @param pair its number among the channels of this type to that peer, and so the number of the
   *     peer's channel in the other direction
   */
  record Channel(ChannelType type, int peer, int id, int pair) {}

  /**
   * Chunks of a buffer of one gpu, or of several at once.
   *
   * @param ranks the gpus: the own one, a peer, or those that a switch joins
   */
  record Place(List<Integer> ranks, boolean multicast, PlanBuffer buffer, int index, int size) {
    Place {
      ranks = List.copyOf(ranks);
    }

    boolean local(int gpu) {
      return !multicast && ranks.getFirst() == gpu;
    }

    /** The place as a message of that gpu names it. */
    String words(int gpu) {
      String at = multicast ? "@gpus " + ranks : local(gpu) ? "" : "@gpu " + ranks.getFirst();
      String range = size == 1 ? "" : ".." + (index + size - 1);
      return "%s%s[%d%s]".formatted(buffer.name().toLowerCase(Locale.ROOT), at, index, range);
    }
  }

  /** A part of the bytes of an operation, of those into which a group of blocks cuts them. */
  record Share(int part, int parts) {}

  /** The repetitions of a pipeline: one for each unit of the bytes of so many chunks. */
  record Turns(long unitBytes, int chunks) {}

  /**
   * An operation of a block.
   *
   * @param number its index in the block, as in {@code 3}, or in a pipeline of it, as in {@code
   *     3.0}
   * @param barrier the barrier's id and its number of blocks; empty for all other operations
   * @param turns empty for all operations but pipelines
   */
  record Operation(
      int gpu,
      int block,
      String number,
      OperationType type,
      List<Channel> channels,
      List<Place> sources,
      List<Place> destinations,
      Share share,
      Optional<BlockBarrier> barrier,
      List<Integer> semaphores,
      Optional<Turns> turns,
      List<Operation> inner,
      TextPosition at)
      implements PlanStep {
    Operation {
      channels = List.copyOf(channels);
      sources = List.copyOf(sources);
      destinations = List.copyOf(destinations);
      semaphores = List.copyOf(semaphores);
      inner = List.copyOf(inner);
    }

    @Override
    public String ids() {
      return "gpu %d, tb %d, op %s".formatted(gpu, block, number);
    }

    @Override
    public String words() {
      StringBuilder words = new StringBuilder(ids()).append(": ").append(type.spelling());
      List<String> parts = new ArrayList<>();
      if (!destinations.isEmpty()) {
        parts.add("to " + String.join(", ", destinations.stream().map(p -> p.words(gpu)).toList()));
      }
      if (!sources.isEmpty()) {
        parts.add("from " + String.join(", ", sources.stream().map(p -> p.words(gpu)).toList()));
      }
      if (!channels.isEmpty() && destinations.isEmpty()) {
        parts.add(
            "with gpu "
                + String.join(", ", channels.stream().map(c -> String.valueOf(c.peer)).toList()));
      }
      if (!semaphores.isEmpty()) {
        parts.add(
            "semaphore " + String.join(", ", semaphores.stream().map(String::valueOf).toList()));
      }
      barrier.ifPresent(of -> parts.add("%d of %d blocks".formatted(of.id, of.blocks)));
      if (share.parts > 1) {
        parts.add("part %d of %d".formatted(share.part, share.parts));
      }
      parts.forEach(part -> words.append(' ').append(part));
      return words.toString();
    }

    /** The operation itself, and those of a pipeline. */
    Stream<Operation> all() {
      return type == OperationType.PIPELINE ? inner.stream() : Stream.of(this);
    }

    boolean isPort() {
      return !channels.isEmpty() && channels.getFirst().type == ChannelType.PORT;
    }
  }

  /** A barrier between blocks of a gpu. */
  record BlockBarrier(int id, int blocks) {}

  /** The number of GPUs. */
  public int world() {
    return gpus.size();
  }

  Stream<Block> blocks() {
    return gpus.stream().flatMap(gpu -> gpu.blocks().stream());
  }

  /** All operations in the order of the file, those of pipelines once and pipelines not. */
  Stream<Operation> operations() {
    return blocks().flatMap(block -> block.operations().stream()).flatMap(Operation::all);
  }
}
