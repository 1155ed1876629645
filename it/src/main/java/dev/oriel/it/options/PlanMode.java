package dev.oriel.it.options;

import dev.oriel.domain.msccl.FlagOrder;
import dev.oriel.domain.mscclpp.LaunchFlags;

/**
 * How plans are executed.
 *
 * @param blocks what flags between blocks of MSCCL XML order
 * @param launches the packet flags of execution plans
 */
public record PlanMode(FlagOrder blocks, LaunchFlags launches) {}
