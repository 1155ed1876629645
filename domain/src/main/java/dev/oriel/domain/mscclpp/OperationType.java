package dev.oriel.domain.mscclpp;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What an operation of an execution plan does. Its name in the file is that of the constant. */
enum OperationType {
  /** Barrier of the threads of a block, and the only operation that is one. */
  NOP(Agents.ALL),
  /** Barrier of blocks of one gpu. */
  BARRIER(Agents.ALL),
  PUT(Agents.ALL),
  /** Put, then signal, as one request to the proxy. */
  PWS(Agents.FEW),
  /** The same, and then a flush. */
  PWSF(Agents.FEW),
  GET(Agents.ALL),
  COPY(Agents.ALL),
  SIGNAL(Agents.FEW),
  WAIT(Agents.FEW),
  RLXSIGNAL(Agents.FEW),
  RLXWAIT(Agents.FEW),
  FLUSH(Agents.FEW),
  RE(Agents.ALL),
  RES(Agents.ALL),
  RRE(Agents.ALL),
  RRES(Agents.ALL),
  PPKT(Agents.ALL),
  RPPKT(Agents.ALL),
  CPKT(Agents.ALL),
  UPKT(Agents.ALL),
  REPKT(Agents.ALL),
  RECPKT(Agents.ALL),
  RESPKT(Agents.ALL),
  RECSPKT(Agents.ALL),
  GLRES(Agents.ALL),
  GSTORE(Agents.ALL),
  GSTOREPKT(Agents.ALL),
  PIPELINE(Agents.ALL),
  SEM_ACQUIRE(Agents.FEW),
  SEM_RELEASE(Agents.FEW);

  /** The threads that take part. */
  private enum Agents {
    /** All threads of the block, each with some of the bytes. */
    ALL,
    /** Thread i for channel or semaphore i of the operation. */
    FEW
  }

  private final Agents agents;

  OperationType(Agents agents) {
    this.agents = agents;
  }

  static Optional<OperationType> named(String spelling) {
    return Arrays.stream(values()).filter(type -> type.spelling().equals(spelling)).findFirst();
  }

  /** The spelling in files. */
  String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it moves data. */
  boolean moves() {
    return switch (this) {
      case NOP,
          BARRIER,
          SIGNAL,
          WAIT,
          RLXSIGNAL,
          RLXWAIT,
          FLUSH,
          PIPELINE,
          SEM_ACQUIRE,
          SEM_RELEASE ->
          false;
      default -> true;
    };
  }

  /** Whether that source holds packets. */
  boolean packetSource(int index) {
    return switch (this) {
      case RPPKT, UPKT, GSTOREPKT -> true;
      case REPKT, RECPKT, RESPKT, RECSPKT -> index > 0;
      default -> false;
    };
  }

  /** Whether that destination takes packets. */
  boolean packetDestination(int index) {
    return switch (this) {
      case PPKT, RPPKT, CPKT, GSTOREPKT -> true;
      case RECPKT, RESPKT, RECSPKT -> index > 0;
      default -> false;
    };
  }

  boolean packets() {
    return packetDestination(1) || packetSource(1);
  }

  /** Whether source i goes to destination i; otherwise all sources go to all destinations. */
  boolean inPairs() {
    return switch (this) {
      case PUT, PWS, PWSF, GET, PPKT -> true;
      default -> false;
    };
  }
}
