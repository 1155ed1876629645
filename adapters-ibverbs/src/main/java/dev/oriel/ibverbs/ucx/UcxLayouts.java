package dev.oriel.ibverbs.ucx;

/**
 * Where the fields of libucp's structures lie, and their values, as in its header {@code
 * ucp/api/ucp.h} on 64-bit Linux. Each structure begins with a mask of the fields that are set; the
 * library reads no others, so newer libraries may have more.
 */
final class UcxLayouts {
  /** The version of the interface for which these layouts hold. */
  static final int MAJOR = 1;

  static final int MINOR = 10;

  static final long MASK = 0;

  static final class Context {
    static final long BYTES = 80;
    static final long FEATURES = 8;
    static final long FEATURES_SET = 1;
    static final long RMA_AND_64_BIT_ATOMICS = 2 | 8;

    private Context() {}
  }

  static final class Worker {
    static final long BYTES = 200;
    static final long THREADS = 8;
    static final long THREADS_SET = 1;

    /** One thread at a time, which may change. */
    static final int SERIALIZED = 1;

    private Worker() {}
  }

  static final class Endpoint {
    static final long BYTES = 104;
    static final long ADDRESS = 8;
    static final long ERRORS = 16;
    static final long HANDLER = 24;
    static final long ADDRESS_AND_ERRORS_SET = 1 | 2 | 4;

    /** Requests to a peer that is gone fail. */
    static final int PEER_FAILURES = 1;

    private Endpoint() {}
  }

  static final class Memory {
    static final long BYTES = 40;
    static final long ADDRESS = 8;
    static final long LENGTH = 16;
    static final long ADDRESS_AND_LENGTH_SET = 1 | 2;

    private Memory() {}
  }

  static final class Request {
    static final long BYTES = 72;
    static final long FLAGS = 4;
    static final long TYPE = 24;
    static final long REPLY = 40;
    static final int TYPE_SET = 8;
    static final int FLAGS_SET = 16;
    static final int REPLY_SET = 32;

    /** Words of 8 bytes. */
    static final long WORDS = 8 << 3;

    /** Closes an endpoint without waiting for its peer. */
    static final int FORCE = 1;

    static final int ADD = 0;
    static final int COMPARE_SWAP = 2;

    private Request() {}
  }

  private UcxLayouts() {}
}
