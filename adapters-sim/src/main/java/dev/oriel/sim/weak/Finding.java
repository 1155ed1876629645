package dev.oriel.sim.weak;

/** What is wrong with an execution: its class, and a sentence with the facts and the fix. */
record Finding(String kind, String message) {
  static final String RACE = "race";
  static final String DEADLOCK = "deadlock";
  static final String VALUE = "value";
  static final String CHECK = "check";
  static final String SCOPE = "scope";
  static final String OVERWRITE = "overwrite";
  static final String WRITERS = "writers";
  static final String BOUNDS = "bounds";
}
