package dev.oriel.ibverbs.mlx5;

/** One element of a completion queue: the contents of its 64 bytes. */
public sealed interface CompletionElement {
  /** Bytes of one. */
  int BYTES = 64;

  /** The number of the queue pair, 24 bits. */
  int queuePair();

  /** The element's index in its queue, low 16 bits. */
  int index();

  /**
   * An element of a send queue is done; one completion also covers all earlier elements.
   *
   * @param bytes the number of bytes that a read or an atomic returned
   */
  record Done(ElementOpcode opcode, int queuePair, int index, int bytes)
      implements CompletionElement {
    public Done {
      require(queuePair, index);
    }
  }

  /** The request that filled a receive. */
  enum Kind {
    WRITE_IMMEDIATE(1),
    SEND(2);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    int code() {
      return code;
    }
  }

  /** A receive was filled. */
  record Arrived(Kind kind, int immediate, int bytes, int queuePair, int index)
      implements CompletionElement {
    public Arrived {
      require(queuePair, index);
    }
  }

  /** The end at which an element failed. */
  enum Side {
    REQUESTER(13),
    RESPONDER(14);

    private final int code;

    Side(int code) {
      this.code = code;
    }

    int code() {
      return code;
    }
  }

  /**
   * An element failed, and its queue pair executes no further element.
   *
   * @param opcode the element's opcode byte, known or not
   * @param vendor the vendor's own code
   */
  record Failed(Side side, Syndrome syndrome, int vendor, int opcode, int queuePair, int index)
      implements CompletionElement {
    public Failed {
      DecodingErrors.requireBits("vendor", vendor, 8);
      DecodingErrors.requireBits("opcode", opcode, 8);
      require(queuePair, index);
    }
  }

  private static void require(int queuePair, int index) {
    DecodingErrors.requireBits("queuePair", queuePair, 24);
    DecodingErrors.requireBits("index", index, 16);
  }
}
