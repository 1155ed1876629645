package dev.oriel.it.options;

import dev.oriel.domain.msccl.MscclCollective;
import dev.oriel.domain.program.Form;
import java.util.function.LongFunction;

/**
 * A plan of a file with the program of each size of a call.
 *
 * @param world the number of GPUs
 * @param threads of a block, as the runtime of the format launches it
 * @param form the program for so many bytes of the collective's larger buffer; it refuses a size
 *     for which the plan has none
 */
public record SizedPlan(
    int world, MscclCollective collective, int threads, LongFunction<Form> form) {}
