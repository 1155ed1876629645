package dev.oriel.sim.machine;

import dev.oriel.sim.machine.layout.Model;
import dev.oriel.sim.machine.terms.Detectors;
import dev.oriel.sim.machine.terms.Edge;
import dev.oriel.sim.machine.terms.Kept;

/** The parts of a machine that all agents use: clocks, memory, words and reports. */
final class Shared {
  final Model model;
  final Kept kept;
  final Faults faults;
  final Wakes wakes;
  final Reports reports;
  final Clocks clocks;
  final Memory memory;
  final Words words;
  final Locks locks;
  final Heads heads;
  final WordWrites writes;
  final DataWords dataWords;

  Shared(Model model, Simulation.Terms terms, Edge edge, Reports reports) {
    Detectors detectors = terms.detectors();
    this.model = model;
    this.reports = reports;
    kept = new Kept(edge, detectors, model.profile);
    faults = new Faults(model, terms.faults());
    wakes = new Wakes(model);
    clocks = new Clocks(model);
    Sight sight = new Sight(model, kept.consistent);
    memory = new Memory(model, new Shadow(model, kept, sight), detectors, reports);
    words = new Words(model, clocks, sight, detectors, kept, reports);
    locks = new Locks(model, words);
    heads = new Heads(model, clocks, kept);
    writes = new WordWrites(model, words, heads, locks, clocks, detectors, wakes, kept, reports);
    dataWords = new DataWords(model, words, writes, memory, clocks);
  }
}
