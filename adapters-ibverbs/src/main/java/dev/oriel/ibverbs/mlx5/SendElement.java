package dev.oriel.ibverbs.mlx5;

/**
 * One element of a send queue: the contents of its bytes. Every element used here fits into one
 * basic block of 64 bytes: its index counts elements and blocks alike.
 */
public sealed interface SendElement {
  /** Bytes of a basic block. */
  int BLOCK = 64;

  Head head();

  ElementOpcode opcode();

  /** The number of its 16-byte segments, including the control segment. */
  int segments();

  /**
   * The fields of every element.
   *
   * @param index its index in the queue, low 16 bits
   * @param queuePair the number of its own queue pair, 24 bits
   */
  record Head(
      int index,
      int queuePair,
      ElementFence fence,
      CompletionReporting reporting,
      boolean solicited) {
    public Head {
      DecodingErrors.requireBits("index", index, 16);
      DecodingErrors.requireBits("queuePair", queuePair, 24);
    }
  }

  /** Memory of the peer. */
  record Remote(long address, int key) {}

  /** No operation; only completes. */
  record Nop(Head head) implements SendElement {
    @Override
    public ElementOpcode opcode() {
      return ElementOpcode.NOP;
    }

    @Override
    public int segments() {
      return 1;
    }
  }

  /** Writes the peer's memory. */
  record Write(Head head, Remote remote, ElementPayload payload) implements SendElement {
    @Override
    public ElementOpcode opcode() {
      return ElementOpcode.WRITE;
    }

    @Override
    public int segments() {
      return 2 + payload.segments();
    }
  }

  /** Writes the peer's memory and completes one of its receives with a number. */
  record WriteImmediate(Head head, Remote remote, ElementPayload payload, int immediate)
      implements SendElement {
    @Override
    public ElementOpcode opcode() {
      return ElementOpcode.WRITE_IMMEDIATE;
    }

    @Override
    public int segments() {
      return 2 + payload.segments();
    }
  }

  /** Fills one of the peer's receives. */
  record Send(Head head, ElementPayload payload) implements SendElement {
    @Override
    public ElementOpcode opcode() {
      return ElementOpcode.SEND;
    }

    @Override
    public int segments() {
      return 1 + payload.segments();
    }
  }

  /** Reads the peer's memory; bytes cannot land inline. */
  record Read(Head head, Remote remote, ElementPayload payload) implements SendElement {
    public Read {
      if (payload instanceof ElementPayload.Inline) {
        throw DecodingErrors.field(
            "element", "byte_count", payload.bytes(), "a read lands in registered memory");
      }
    }

    @Override
    public ElementOpcode opcode() {
      return ElementOpcode.READ;
    }

    @Override
    public int segments() {
      return 2 + payload.segments();
    }
  }

  /** Adds to a word of the peer; the old value is stored in {@code old}. */
  record FetchAdd(Head head, Remote remote, long addend, ElementPayload.Gather old)
      implements SendElement {
    public FetchAdd {
      requireWord(old);
    }

    @Override
    public ElementOpcode opcode() {
      return ElementOpcode.FETCH_ADD;
    }

    @Override
    public int segments() {
      return 4;
    }
  }

  /** Compares a word of the peer and swaps it if equal; the old value is stored in {@code old}. */
  record CompareSwap(Head head, Remote remote, long compare, long swap, ElementPayload.Gather old)
      implements SendElement {
    public CompareSwap {
      requireWord(old);
    }

    @Override
    public ElementOpcode opcode() {
      return ElementOpcode.COMPARE_SWAP;
    }

    @Override
    public int segments() {
      return 4;
    }
  }

  /**
   * Holds up its queue until a completion queue has its completion of that number.
   *
   * @param completion counted from 0, wrapping at 32 bits
   * @param completionQueue 24 bits
   */
  record Wait(Head head, int completion, int completionQueue) implements SendElement {
    public Wait {
      DecodingErrors.requireBits("completionQueue", completionQueue, 24);
    }

    @Override
    public ElementOpcode opcode() {
      return ElementOpcode.WAIT;
    }

    @Override
    public int segments() {
      return 2;
    }
  }

  private static void requireWord(ElementPayload.Gather old) {
    if (old.bytes() != Long.BYTES) {
      throw DecodingErrors.field("element", "byte_count", old.bytes(), "an atomic has 8 bytes");
    }
  }
}
