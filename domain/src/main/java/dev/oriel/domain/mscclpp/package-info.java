/**
 * Schedules of collectives as MSCCL++ execution plans state them in JSON, and the programs that
 * they describe.
 *
 * <pre>
 * text - ExecutionPlanReader - ExecutionPlan - ExecutionDefects     mistakes that no execution is needed for
 *                                    |
 *                                    +------- ExecutionTranslation  one program for each ExecutionVariant
 *
 * program - LaneUnrolling - SlotCounts, ExportMemory - BlockOperations - ExportedPlan - ExecutionPlanText
 * </pre>
 *
 * <p>A plan keeps the ids of its file, and every message names them: {@code gpu 3, tb 5, op 12}.
 */
package dev.oriel.domain.mscclpp;
