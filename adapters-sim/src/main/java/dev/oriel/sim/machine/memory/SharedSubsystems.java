package dev.oriel.sim.machine.memory;

import dev.oriel.sim.machine.clocks.ComponentClocks;
import dev.oriel.sim.machine.clocks.NicVisibility;
import dev.oriel.sim.machine.clocks.ReleaseClocks;
import dev.oriel.sim.machine.fault.FaultInjector;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.race.RaceDetector;
import dev.oriel.sim.machine.report.FindingReporter;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.OrderingAssumptions;
import dev.oriel.sim.machine.settings.SuppliedOrder;
import dev.oriel.sim.machine.state.EnabledDirtySet;
import dev.oriel.sim.machine.words.LockHolders;
import dev.oriel.sim.machine.words.SyncWords;
import dev.oriel.sim.machine.words.WordWrites;

/** The parts of a machine that all agents use: clocks, memory, words and reports. */
public final class SharedSubsystems {
  public final MachineModel model;
  public final OrderingAssumptions kept;
  public final FaultInjector faults;
  public final EnabledDirtySet enabledDirty;
  public final FindingReporter reports;
  public final ComponentClocks clocks;
  public final SimulatedMemory memory;
  public final SyncWords words;
  public final LockHolders locks;
  public final ReleaseClocks releaseClocks;
  public final WordWrites writes;
  public final DataWords dataWords;

  public SharedSubsystems(
      MachineModel model, ExecutionSettings settings, SuppliedOrder edge, FindingReporter reports) {
    DetectorSet detectors = settings.detectors();
    this.model = model;
    this.reports = reports;
    kept = new OrderingAssumptions(edge, detectors, model.profile);
    faults = new FaultInjector(model, settings.faults());
    enabledDirty = new EnabledDirtySet(model);
    clocks = new ComponentClocks(model);
    NicVisibility sight = new NicVisibility(model, kept.consistent);
    memory = new SimulatedMemory(model, new RaceDetector(model, kept, sight), detectors, reports);
    words = new SyncWords(model, clocks, sight, detectors, kept, reports);
    locks = new LockHolders(model, words);
    releaseClocks = new ReleaseClocks(model, clocks, kept);
    writes =
        new WordWrites(
            model, words, releaseClocks, locks, clocks, detectors, enabledDirty, kept, reports);
    dataWords = new DataWords(model, words, writes, memory, clocks, detectors);
  }
}
