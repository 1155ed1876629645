package dev.oriel.bootstrap;

/** The collective that a call belongs to. */
enum CollectiveOperation {
  NONE(0, "none"),
  ALL_GATHER(1, "allGather"),
  BARRIER(2, "barrier"),
  AGREE(3, "agree");

  private final int code;
  private final String label;

  CollectiveOperation(int code, String label) {
    this.code = code;
    this.label = label;
  }

  int code() {
    return code;
  }

  String label(String step) {
    return label + "(" + step + ")";
  }

  static CollectiveOperation of(int code) throws ProtocolViolation {
    for (CollectiveOperation operation : values()) {
      if (operation.code == code) {
        return operation;
      }
    }
    throw new ProtocolViolation("unknown operation: code=" + code);
  }
}
