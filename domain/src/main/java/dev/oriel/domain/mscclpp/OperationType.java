package dev.oriel.domain.mscclpp;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What an operation of an execution plan does. Its name in the file is that of the constant. */
enum OperationType {
  /** Barrier of the threads of a block, and the only operation that is one. */
  NOP,
  /** Barrier of blocks of one gpu. */
  BARRIER,
  PUT,
  /** Put, then signal, as one request to the proxy. */
  PWS,
  /** The same, and then a flush. */
  PWSF,
  GET,
  COPY,
  SIGNAL,
  WAIT,
  RLXSIGNAL,
  RLXWAIT,
  FLUSH,
  RE,
  RES,
  RRE,
  RRES,
  PPKT,
  RPPKT,
  CPKT,
  UPKT,
  REPKT,
  RECPKT,
  RESPKT,
  RECSPKT,
  GLRES,
  GSTORE,
  GSTOREPKT,
  PIPELINE,
  SEM_ACQUIRE,
  SEM_RELEASE;

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
