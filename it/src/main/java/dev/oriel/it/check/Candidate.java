package dev.oriel.it.check;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** A world and parameter values with which the program may still be refused. */
record Candidate(String world, Map<String, Long> params) {
  Candidate {
    params = Collections.unmodifiableMap(new TreeMap<>(params));
  }
}
