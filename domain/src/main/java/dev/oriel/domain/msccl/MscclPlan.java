package dev.oriel.domain.msccl;

import dev.oriel.domain.program.TextPosition;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A schedule of a collective for a fixed number of GPUs, with the ids of its file. {@link
 * MscclReader} makes only valid ones: every id, offset and number is in range.
 *
 * @param collectiveName the spelling in the file
 * @param chunks the number of chunks into which the collective's larger buffer is cut
 * @param mostBytes the largest size for which a runtime selects the plan; {@link Long#MAX_VALUE} if
 *     there is no limit
 */
public record MscclPlan(
    String name,
    MscclProtocol protocol,
    MscclCollective collective,
    String collectiveName,
    int channels,
    int chunks,
    boolean inPlace,
    boolean outOfPlace,
    long leastBytes,
    long mostBytes,
    List<Gpu> gpus) {

  public MscclPlan {
    gpus = List.copyOf(gpus);
  }

  /** A buffer of a GPU. */
  public enum PlanBuffer {
    /** The caller's source. */
    I,
    /** The caller's destination. */
    O,
    /** Scratch memory. */
    S;

    /** The buffer of that spelling. */
    public static Optional<PlanBuffer> named(String spelling) {
      return Arrays.stream(values()).filter(b -> b.spelling().equals(spelling)).findFirst();
    }

    public String spelling() {
      return switch (this) {
        case I -> "i";
        case O -> "o";
        case S -> "s";
      };
    }
  }

  /** A GPU; sizes are in chunks. */
  public record Gpu(
      int id, int inputs, int outputs, int scratch, List<ThreadBlock> blocks, TextPosition at) {
    public Gpu {
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

  /**
   * A thread block, which executes its steps one after another.
   *
   * @param send the gpu to which it sends, or -1
   * @param receive the gpu from which it receives, or -1
   */
  public record ThreadBlock(
      int gpu, int id, int send, int receive, int channel, List<Step> steps, TextPosition at) {
    public ThreadBlock {
      steps = List.copyOf(steps);
    }

    /** The ids as messages name them. */
    public String ids() {
      return "gpu %d, tb %d".formatted(gpu, id);
    }
  }

  /** Chunks of a buffer from an offset on; the step has their number. */
  public record Place(PlanBuffer buffer, int offset) {
    @Override
    public String toString() {
      return buffer.spelling() + "[" + offset + "]";
    }
  }

  /** A step of another block of the same GPU that must have been completed. */
  public record Dependency(int block, int step) {}

  /**
   * A step of a block.
   *
   * @param source empty if the type reads no buffer; likewise the destination
   * @param announced whether the block announces its end, for blocks that wait for it
   */
  public record Step(
      int gpu,
      int block,
      int number,
      StepType type,
      Optional<Place> source,
      Optional<Place> destination,
      int count,
      Optional<Dependency> dependency,
      boolean announced,
      TextPosition at)
      implements PlanStep {

    @Override
    public String ids() {
      return "gpu %d, tb %d, step %d".formatted(gpu, block, number);
    }

    @Override
    public String words() {
      StringBuilder words = new StringBuilder(ids()).append(": ").append(type.spelling());
      destination.ifPresent(place -> words.append(' ').append(place));
      source.ifPresent(
          place -> words.append(destination.isPresent() ? " from " : " ").append(place));
      if (count != 1 && type != StepType.NOP) {
        words.append(", ").append(count).append(" chunks");
      }
      dependency.ifPresent(
          on -> words.append(", after tb %d, step %d".formatted(on.block, on.step)));
      return words.toString();
    }
  }

  /** The number of GPUs. */
  public int world() {
    return gpus.size();
  }
}
