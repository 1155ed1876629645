/**
 * Schedules of collectives as MSCCL XML files state them, and the programs that they describe.
 *
 * <pre>
 * text - MscclReader - MscclPlan - MscclDefects            mistakes that no execution is needed for
 *                          |
 *                          +----- MscclTranslation         one program for each MscclVariant
 * </pre>
 *
 * <p>A plan keeps the ids of its file, and every message names them: {@code gpu 3, tb 5, step 12}.
 */
package dev.oriel.domain.msccl;
