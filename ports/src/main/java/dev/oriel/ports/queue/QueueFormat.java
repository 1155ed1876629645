package dev.oriel.ports.queue;

import dev.oriel.ports.MachineException;
import java.util.List;
import java.util.Map;

/**
 * The format of all queues of a network; posting code can be generated from it before a queue
 * exists.
 *
 * @param elementBytes of every element, a multiple of 16
 * @param elements the holes of each kind of element
 * @param bells the words stored in turn to announce elements, each ordered after all earlier writes
 * @param completion the format of the word that reports completed elements
 * @param messageBytes the most bytes that one element moves
 */
public record QueueFormat(
    int elementBytes,
    Map<RequestKind, List<TemplateField>> elements,
    List<DoorbellWord> bells,
    CompletionWord completion,
    long messageBytes) {

  /**
   * An aligned word that announces elements.
   *
   * @param bytes 4 or 8
   * @param register whether it is a device register, where every store has its own effect
   */
  public record DoorbellWord(int bytes, List<TemplateField> holes, boolean register) {
    /** A bell in memory. */
    public DoorbellWord(int bytes, List<TemplateField> holes) {
      this(bytes, holes, false);
    }

    public DoorbellWord {
      holes = List.copyOf(holes);
      require(bytes == Integer.BYTES || bytes == Long.BYTES, "bell", bytes);
      check(holes, bytes);
    }
  }

  public QueueFormat {
    elements = Map.copyOf(elements);
    bells = List.copyOf(bells);
    require(elementBytes > 0 && elementBytes % 16 == 0, "elementBytes", elementBytes);
    require(messageBytes > 0, "messageBytes", messageBytes);
    for (RequestKind kind : RequestKind.values()) {
      if (!elements.containsKey(kind)) {
        throw new MachineException("no element for a request: kind=" + kind + "; give its holes");
      }
      check(elements.get(kind), elementBytes);
    }
  }

  /** The holes of that kind of element. */
  public List<TemplateField> holes(RequestKind kind) {
    return elements.getOrDefault(kind, List.of());
  }

  private static void check(List<TemplateField> holes, int bytes) {
    for (TemplateField hole : holes) {
      require(hole.offset() + hole.width() <= bytes, hole.field() + " ends", hole.offset());
    }
  }

  private static void require(boolean holds, String what, long value) {
    if (!holds) {
      throw new MachineException(
          "queue format cannot be: %s=%d; keep holes inside and sizes whole"
              .formatted(what, value));
    }
  }
}
