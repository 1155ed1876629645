package dev.oriel.ibverbs.mlx5;

/** One element of a completion queue: what its 64 bytes say. */
public sealed interface Completion {
  /** Bytes of one. */
  int BYTES = 64;

  /** Whose element it is, 24 bits. */
  int queuePair();

  /** The element's place in the count of its queue, low 16 bits. */
  int index();

  /**
   * An element of a send queue is done; one completion also stands for all earlier elements.
   *
   * @param bytes what a read or an atomic brought
   */
  record Done(Opcode opcode, int queuePair, int index, int bytes) implements Completion {
    public Done {
      require(queuePair, index);
    }
  }

  /** What filled a receive. */
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
      implements Completion {
    public Arrived {
      require(queuePair, index);
    }
  }

  /** Whose fault it is that an element failed. */
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
   * An element failed, and its queue pair executes nothing any more.
   *
   * @param opcode the byte of the element, whatever it was
   * @param vendor a byte of the vendor's own
   */
  record Failed(Side side, Syndrome syndrome, int vendor, int opcode, int queuePair, int index)
      implements Completion {
    public Failed {
      Unreadable.requireBits("vendor", vendor, 8);
      Unreadable.requireBits("opcode", opcode, 8);
      require(queuePair, index);
    }
  }

  private static void require(int queuePair, int index) {
    Unreadable.requireBits("queuePair", queuePair, 24);
    Unreadable.requireBits("index", index, 16);
  }
}
