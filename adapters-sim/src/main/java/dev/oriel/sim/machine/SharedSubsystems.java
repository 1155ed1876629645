package dev.oriel.sim.machine;

import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.terms.DetectorSet;
import dev.oriel.sim.machine.terms.ExecutionSettings;
import dev.oriel.sim.machine.terms.OrderingAssumptions;
import dev.oriel.sim.machine.terms.SuppliedOrder;

/** The parts of a machine that all agents use: clocks, memory, words and reports. */
final class SharedSubsystems {
  final MachineModel model;
  final OrderingAssumptions kept;
  final FaultInjector faults;
  final EnabledDirtySet wakes;
  final FindingReporter reports;
  final ComponentClocks clocks;
  final SimulatedMemory memory;
  final SyncWords words;
  final LockHolders locks;
  final ReleaseClocks heads;
  final WordWrites writes;
  final DataWords dataWords;

  SharedSubsystems(
      MachineModel model, ExecutionSettings terms, SuppliedOrder edge, FindingReporter reports) {
    DetectorSet detectors = terms.detectors();
    this.model = model;
    this.reports = reports;
    kept = new OrderingAssumptions(edge, detectors, model.profile);
    faults = new FaultInjector(model, terms.faults());
    wakes = new EnabledDirtySet(model);
    clocks = new ComponentClocks(model);
    NicVisibility sight = new NicVisibility(model, kept.consistent);
    memory = new SimulatedMemory(model, new RaceDetector(model, kept, sight), detectors, reports);
    words = new SyncWords(model, clocks, sight, detectors, kept, reports);
    locks = new LockHolders(model, words);
    heads = new ReleaseClocks(model, clocks, kept);
    writes = new WordWrites(model, words, heads, locks, clocks, detectors, wakes, kept, reports);
    dataWords = new DataWords(model, words, writes, memory, clocks);
  }
}
