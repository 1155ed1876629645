package dev.oriel.sim.litmus;

import java.util.List;
import java.util.Map;

/** One thread of a test: its number in the text, its place, first register values and code. */
record LitmusThread(
    int number, Placement placement, Map<String, Long> registers, List<Instruction> code) {}
